BEGIN TRANSACTION;
CREATE TABLE configs (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "configs" VALUES('mine','{"mode": "cpt", "candidate_pool_size": 20, "max_results": 5, "als": {"semantic_weight": 0.0791, "emotional_weight": -0.5179, "temporal_weight": 3.147, "bias": 0.0}, "cpt": {"seed_nodes": 3, "max_depth": 3, "max_neighbors": 10, "branching_factor": 1, "min_als_score": null, "cache_event_data": true, "top_k": null, "top_p": null, "random_sampling": false, "sampling_temperature": null, "sampling_seed": null, "spreading_activation": false, "activation_top_k": 5, "activation_top_p": null, "activation_random": null, "activation_sampling_temperature": null, "activation_als_config": null, "activation_min_score": null, "activation_as_neighbors": true, "activation_score_multiplier": 1.0}, "temporal": {"decay_half_life_days": 30.0, "temporal_weight": 0.35, "max_age_days": null, "enforce_validity": true, "validity_boost": 1.2, "min_vector_score": 0.15, "event_min_raw_vector_score": 0.2}, "walk_expired": false, "drop_superseded": false, "include_future": false, "mood": null, "mood_weight": 0.0}');
CREATE TABLE edges (
	place INTEGER NOT NULL, 
	source INTEGER NOT NULL, 
	target INTEGER NOT NULL, 
	relation TEXT NOT NULL, 
	attributes TEXT, 
	PRIMARY KEY (place), 
	UNIQUE (source, target, relation), 
	FOREIGN KEY(source) REFERENCES events (place), 
	FOREIGN KEY(target) REFERENCES events (place)
);
INSERT INTO "edges" VALUES(1,1,2,'next','{"w":0.5}');
INSERT INTO "edges" VALUES(2,2,2,'self',NULL);
CREATE TABLE events (
	place INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	timestamp BIGINT, 
	valid_from BIGINT, 
	valid_until BIGINT, 
	kind TEXT NOT NULL, 
	doc_type TEXT NOT NULL, 
	supersedes_id TEXT, 
	emotion TEXT, 
	valence DOUBLE, 
	arousal DOUBLE, 
	semantic_dtype TEXT, 
	semantic_vec BLOB, 
	emotional_dtype TEXT, 
	emotional_vec BLOB, 
	metadata TEXT, 
	PRIMARY KEY (place), 
	UNIQUE (id)
);
INSERT INTO "events" VALUES(1,'e1','Tea with Ada.',1706724000123456,-62135596800000000,253402300799999999,'EVENT','diary','e0',NULL,0.1,-1.0,'<f4',X'0000003F000010C000000000','<f8',X'9A9999999999B93F59F3F8C21F6EA501','{"who":["Ada",null,true,1,0.1],"nested":{"":"\ud800 \u0000"}}');
INSERT INTO "events" VALUES(2,'e2','A walk home, l''été.
Second line; <b>bold</b>',NULL,NULL,NULL,'STATIC','general',NULL,'joy',NULL,NULL,'<f4',X'0000803F0000000000000000',NULL,NULL,NULL);
INSERT INTO "events" VALUES(3,'e3','Nothing much, changed.',NULL,NULL,NULL,'STATIC','general',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE journal (
	position INTEGER NOT NULL, 
	label TEXT NOT NULL, 
	size INTEGER NOT NULL, 
	payload BLOB NOT NULL, 
	PRIMARY KEY (position)
);
INSERT INTO "journal" VALUES(1,'Add 4 events',72,X'7801AB564A29CA2F884F2D4BCD2B2956B28A8E36D431898DD5818AA6A4A7820481FCBCD4728422181F219D9C9198979E9A82A2042E8650565C90980C3231AF3427A7160057022AE9');
INSERT INTO "journal" VALUES(2,'Add 3 links',74,X'7801AB564A29CA2F884F2D4BCD2B2956B28A8ED5810AA4A4A782F8D1863AC6B140C1BCD4721445603E540D503A3923312F3D350545095C0CA1ACB8203119646C5E694E4E2D005D902AE8');
INSERT INTO "journal" VALUES(3,'Name the vector spaces',69,X'7801AB564A29CA2F884F2D4BCD2B2956B28A8ED5810AA4A4A742F979A9E528F2603E423A3923312F3D350545095C0CA1ACB82031196C625E694E8E0E8888AD0500DE5F2C3F');
INSERT INTO "journal" VALUES(4,'Change event e3',119,X'7801AB564A29CA2F884F2D4BCD2B2956B28A8ED5810AA4A4A742F979A9E528F2603E423A3923312F3D3505A124DA584729D5584947C92FBF2423332F5D21B73439434F4927AF34270789500A0E710CF17406AA4B4FCD4B2D4ACCC15081A601951B0B7429DC6A846B8A0B1293410E0729AE050031B74D2F');
INSERT INTO "journal" VALUES(5,'Delete event gone',154,X'7801658F3F0BC23010C5BF4AB8F910C44E6EA28BB3DD4291343962315C4A92EA207E771B0DA4EA72F0DEFDFBBD0798E0C733DD885384ADECB018C652D14CF7DA970D82F54C80702047890C0AC5464C6CBCE8C3C0368A21895EE9EB0A9027E716054EEDAE3DEEE75D4B4C41B9BF899F856FD9CD706F98C22637D8E01A21905333C8E7581ED217C5964CA55E7A35581C95CE21F397E70B8FAA5BDC');
INSERT INTO "journal" VALUES(6,'Add event undone',125,X'7801AB564A29CA2F884F2D4BCD2B2956B28A8ED5810AA4A4A742F979A9E508F968131DA5D2BC94FCBC54251D25C79494D41485C4BC140588909E924E5E694E0E12A1141CE218E2E90C549B9E9A975A949883A1024D032A3716E81CB0F508D7246724E6A5A7A6205C0454021743282B2E484C067900645E2D00D06E504B');
CREATE TABLE settings (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "settings" VALUES('name','"An older diary"');
INSERT INTO "settings" VALUES('as_of','"2024-02-01T00:00:00Z"');
CREATE TABLE workspace (
	id INTEGER NOT NULL, 
	schema_version INTEGER NOT NULL, 
	version BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	cursor INTEGER NOT NULL, 
	semantic_space TEXT, 
	emotional_space TEXT, 
	PRIMARY KEY (id)
);
INSERT INTO "workspace" VALUES(1,1,7,10,5,'all-MiniLM-L6-v2','valence-arousal');
CREATE INDEX ix_edges_target ON edges (target);
COMMIT;
