"""Exports of chats: WhatsApp, Slack, Discord, ChatGPT."""
