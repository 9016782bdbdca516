package dev.hearth.kernel.internal.process;

import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archive of classes for processes elsewhere, which bin/hearth writes beside that of this machine, after it: {@code
 * X-elsewhere.tgz} and its hash beside {@code X.jsa}. Stateless.
 */
public final class PackedClasses {
    private static final Logger LOG = LoggerFactory.getLogger(PackedClasses.class);
    private static final String OWN = ".jsa";
    private static final String PACKED = "-elsewhere.tgz";
    private static final String HASH = ".sum";

    private PackedClasses() {}

    /** The archive beside {@code own}; empty if there is none, or one that is older. */
    public static Optional<PackedFile> beside(Path own) {
        String name = own.toString();
        if (!name.endsWith(OWN)) {
            return Optional.empty();
        }
        Path packed = Path.of(name.substring(0, name.length() - OWN.length()) + PACKED);
        if (!Files.isRegularFile(packed)) {
            return Optional.empty();
        }
        try {
            FileTime made = Files.getLastModifiedTime(packed);
            String hash = Files.readString(Path.of(packed + HASH)).strip();
            return made.compareTo(Files.getLastModifiedTime(own)) < 0
                    ? Optional.empty()
                    : Optional.of(new PackedFile(new ContentId(hash), packed));
        } catch (IOException | IllegalArgumentException unreadable) {
            LOG.debug("archive of classes {}: not used", packed, unreadable);
            return Optional.empty();
        }
    }
}
