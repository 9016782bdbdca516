package dev.hearth.kernel.internal.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * State of a file. If two stamps of a file are equal, it did not change in between. {@code identity} is the file key of
 * the file system. Immutable.
 */
record FileStamp(long size, long modifiedMillis, String identity) {
    static FileStamp of(Path file) throws IOException {
        return of(Files.readAttributes(file, BasicFileAttributes.class));
    }

    static FileStamp of(BasicFileAttributes attributes) {
        return new FileStamp(
                attributes.size(), attributes.lastModifiedTime().toMillis(), String.valueOf(attributes.fileKey()));
    }
}
