package dev.hearth.kernel.internal.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** How a file looked: two looks that are equal mean that nobody wrote to it in between. {@code identity} is the system's. */
record Stamp(long size, long modifiedMillis, String identity) {
    static Stamp of(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
                attributes.size(), attributes.lastModifiedTime().toMillis(), String.valueOf(attributes.fileKey()));
    }
}
