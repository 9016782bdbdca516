package dev.hearth.engine.internal.attachments;

import dev.hearth.spi.stream.ContentId;

/**
 * A file, directory, archive or jar that an application has added for its tasks: its name, the hash and the size of its
 * content, and its number among the application's attachments, from 1 on.
 */
public record Attachment(String name, AttachmentKind kind, ContentId content, long size, int epoch) {
    /** The unique key of an attachment. Jars have a name space of their own, as tasks do not look them up by name. */
    String key() {
        return (kind == AttachmentKind.JAR ? "jar " : "file ") + name;
    }
}
