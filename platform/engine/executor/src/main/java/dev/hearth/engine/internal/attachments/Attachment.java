package dev.hearth.engine.internal.attachments;

import dev.hearth.spi.stream.ContentId;

/**
 * Something a program has added for its tasks: what they call it, its bytes by their hash, how many these are, and as which of
 * the application's attachments it came, from 1 on.
 */
public record Attachment(String name, AttachmentKind kind, ContentId content, long size, int epoch) {
    /** What no two attachments of an application share; jars are never found by name and have names of their own. */
    String key() {
        return (kind == AttachmentKind.JAR ? "jar " : "file ") + name;
    }
}
