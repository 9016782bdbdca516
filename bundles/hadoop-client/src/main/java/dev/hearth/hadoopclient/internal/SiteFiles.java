package dev.hearth.hadoopclient.internal;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Configuration files of Hadoop by their names, from several directories. Immutable. */
record SiteFiles(Map<String, Path> byName) {
    private static final SiteFiles NONE = new SiteFiles(Map.of());

    SiteFiles {
        byName = Collections.unmodifiableMap(new TreeMap<>(byName));
    }

    static SiteFiles none() {
        return NONE;
    }

    /**
     * The files {@code *.xml} of {@code directories}; of two with one name, the first. Directories that do not exist
     * are left out. Fails with {@code PATH_MISSING} if one cannot be read.
     */
    static SiteFiles of(List<Path> directories) {
        Map<String, Path> found = new TreeMap<>();
        for (Path directory : directories) {
            if (Files.isDirectory(directory)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.xml")) {
                    for (Path file : files) {
                        if (Files.isRegularFile(file)) {
                            found.putIfAbsent(String.valueOf(file.getFileName()), file.toAbsolutePath());
                        }
                    }
                } catch (IOException failure) {
                    throw ErrorCode.PATH_MISSING.failure(
                            "Hadoop's configuration " + directory + ": " + failure
                                    + " (expected: a directory that can be read); check HADOOP_CONF_DIR",
                            failure);
                }
            }
        }
        return new SiteFiles(found);
    }

    Optional<Path> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
