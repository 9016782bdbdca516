package dev.hearth.engine.internal.attachments;

import dev.hearth.spi.stream.ContentId;

/**
 * File, directory, archive or jar that an application has added for its tasks. {@code content} is the hash of its bytes
 * and {@code size} their number. {@code epoch} numbers the attachments of an application, beginning at 1.
 */
public record Attachment(String name, AttachmentKind kind, ContentId content, long size, int epoch) {
    /**
     * Returns the key that identifies this attachment in the application. The key of a jar differs from that of a file
     * with the same name.
     */
    String key() {
        return (kind == AttachmentKind.JAR ? "jar " : "file ") + name;
    }
}
