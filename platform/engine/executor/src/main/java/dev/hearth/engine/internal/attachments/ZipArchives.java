package dev.hearth.engine.internal.attachments;

import dev.hearth.spi.error.ErrorCode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Packs and unpacks zip archives. No entry of an archive can escape the target directory. Stateless. */
final class ZipArchives {
    /** Maximum number of files and directories in one archive. */
    private static final int ENTRIES_MAX = 1_000_000;

    /**
     * Time stored for all entries, so that packing a directory twice gives equal bytes. It is the earliest time in the
     * format.
     */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private ZipArchives() {}

    /**
     * Fails if {@code archive} cannot be unpacked: it is corrupt, has too many entries, or an entry would escape the
     * target directory. {@code subject} begins the text of the failure.
     */
    static void check(String subject, Path archive) {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            if (zip.size() > ENTRIES_MAX) {
                throw ErrorCode.BAD_ARGUMENT.failure(subject + ": holds " + zip.size() + " files (expected: at most "
                        + ENTRIES_MAX + "); add several smaller archives");
            }
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                inside(subject, Path.of("/archive"), entries.nextElement().getName());
            }
        } catch (ZipException damaged) {
            throw ErrorCode.FILE_DAMAGED.failure(
                    subject + ": " + damaged.getMessage() + " (expected: a whole zip or jar)", damaged);
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + ": cannot be read, " + failure + " (expected: a readable zip or jar)", failure);
        }
    }

    /** Packs {@code directory} into the file {@code archive}. Directories of equal content give equal bytes. */
    static void pack(Path directory, Path archive) throws IOException {
        try (Stream<Path> walk = Files.walk(directory, FileVisitOption.FOLLOW_LINKS);
                OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(file))) {
            zip.setLevel(Deflater.BEST_SPEED);
            List<Path> sorted =
                    walk.filter(path -> !path.equals(directory)).sorted().toList();
            for (Path path : sorted) {
                boolean isDirectory = Files.isDirectory(path);
                ZipEntry entry = new ZipEntry(directory.relativize(path) + (isDirectory ? "/" : ""));
                entry.setTimeLocal(NO_TIME);
                zip.putNextEntry(entry);
                if (!isDirectory) {
                    Files.copy(path, zip);
                }
            }
        }
    }

    /** Unpacks an archive into {@code directory}, which this method creates. */
    static void unpack(String subject, Path archive, Path directory) throws IOException {
        Files.createDirectories(directory);
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                Path target = inside(subject, directory, entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    try (InputStream content = zip.getInputStream(entry)) {
                        Files.copy(content, target);
                    }
                    AttachedFiles.makeExecutable(target);
                }
            }
        }
    }

    private static Path inside(String subject, Path directory, String name) {
        try {
            Path target = directory.resolve(name).normalize();
            if (target.startsWith(directory)) {
                return target;
            }
        } catch (InvalidPathException invalid) {
            throw outside(subject, name);
        }
        throw outside(subject, name);
    }

    private static RuntimeException outside(String subject, String name) {
        return ErrorCode.FILE_DAMAGED.failure(
                subject + ": holds '" + name + "' (expected: names below the root of the archive); pack it again");
    }
}
