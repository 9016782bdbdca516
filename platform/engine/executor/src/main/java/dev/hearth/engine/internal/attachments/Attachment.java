package dev.hearth.engine.internal.attachments;

import dev.hearth.spi.stream.ContentId;

/**
 * File, directory, archive or jar that an application has added for its tasks. {@code content} is the hash of its bytes
 * and {@code size} their number. {@code epoch} numbers the attachments of an application, beginning at 1.
 */
public record Attachment(String name, AttachmentKind kind, ContentId content, long size, int epoch) {
    /**
     * Returns the unique key of this attachment. Jars have separate keys, so a jar and a file may have the same name.
     */
    String key() {
        return (kind == AttachmentKind.JAR ? "jar " : "file ") + name;
    }
}
