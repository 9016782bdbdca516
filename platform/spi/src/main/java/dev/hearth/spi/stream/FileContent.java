package dev.hearth.spi.stream;

import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Creates stream content from files and bytes, with a tag that identifies their version. Stateless. */
final class FileContent {
    private static final int TAG_BYTES = 16;

    private FileContent() {}

    /**
     * Content of a regular file; empty if no such file exists. Its tag combines size, modification time and file key
     * (the inode number on Unix).
     */
    static Optional<StreamContent> of(Path file) throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return found.isRegularFile()
                    ? Optional.of(new StreamContent.FilePart(file, 0, found.size(), tag(found)))
                    : Optional.empty();
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    static String tag(Bytes bytes) {
        MessageDigest digest = ContentId.digest();
        bytes.read(digest::update);
        return HexFormat.of().formatHex(digest.digest(), 0, TAG_BYTES);
    }

    private static String tag(BasicFileAttributes file) {
        return Long.toHexString(file.size()) + "-"
                + Long.toHexString(file.lastModifiedTime().to(TimeUnit.NANOSECONDS)) + "-"
                + Integer.toHexString(Objects.hashCode(String.valueOf(file.fileKey())));
    }
}
