package dev.hearth.kernel.internal.archive;

import dev.hearth.kernel.internal.inventory.FullDisk;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.stream.ContentId;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives of an installation, and copies of them that are kept in the first directory that can be written. A copy is
 * named by the names, sizes and times of its files, so a changed installation gets another one. Files appear under their
 * names by a rename once they are complete. Any thread of any process may call.
 */
public final class ArchiveStore {
    private static final Logger LOG = LoggerFactory.getLogger(ArchiveStore.class);
    /** Maximum number of archives kept in a directory; the oldest are deleted. */
    private static final int KEPT_MAX = 4;

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final String INCOMING = ".incoming-";

    private final List<Path> directories;

    /** Forms of archives. */
    private enum Form {
        TAR(".tar", ".sha256"),
        GZIP(".tar.gz", ".gz.sha256");

        private final String suffix;
        private final String hashSuffix;

        Form(String suffix, String hashSuffix) {
            this.suffix = suffix;
            this.hashSuffix = hashSuffix;
        }
    }

    /** {@code directories} may receive the copies, in order of preference. */
    public ArchiveStore(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    /** Writes the archive of {@code entries} to {@code target}, from a kept copy if there is one. Returns its hash. */
    public ContentId write(List<ArchiveEntry> entries, Path target) {
        Path file = target.toAbsolutePath().normalize();
        Path parent = file.getParent();
        if (Files.isDirectory(file) || parent == null) {
            throw ErrorCode.BAD_ARGUMENT.failure("archive " + target + ": a directory (expected: the name of a file)");
        }
        if (!Files.isDirectory(parent)) {
            throw ErrorCode.PATH_MISSING.failure(
                    "archive " + target + ": no directory " + parent + " (expected: a directory); make it");
        }
        try {
            String name = fingerprint(entries);
            Optional<PackedFile> kept = find(name, Form.TAR).or(() -> keep(name, entries, Form.TAR));
            if (kept.isPresent()) {
                place(file, incoming -> {
                    Files.copy(kept.get().file(), incoming);
                    return kept.get().content();
                });
                return kept.get().content();
            }
            return place(file, incoming -> pack(entries, incoming, Form.TAR));
        } catch (IOException failure) {
            String problem = FullDisk.problem(parent, failure).isPresent()
                    ? "no space left on the disk of " + parent + " (expected: room for the archive); make room"
                    : failure + " (expected: a file that can be written)";
            throw ErrorCode.DISK_FAILED.failure("archive " + target + ": not written, " + problem, failure);
        }
    }

    /**
     * Returns the archive of {@code entries}, compressed by gzip: a kept copy, or the file {@code otherwise}, which is
     * written if no directory can be written.
     */
    public PackedFile compressed(List<ArchiveEntry> entries, Path otherwise) {
        try {
            String name = fingerprint(entries);
            Optional<PackedFile> kept = find(name, Form.GZIP).or(() -> keep(name, entries, Form.GZIP));
            return kept.isPresent()
                    ? kept.get()
                    : new PackedFile(place(otherwise, incoming -> pack(entries, incoming, Form.GZIP)), otherwise);
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "archive " + otherwise + ": " + failure + " (expected: a file that can be written)", failure);
        }
    }

    /** Writes a file and returns the hash of its content. */
    private interface Writing {
        ContentId to(Path incoming) throws IOException;
    }

    private Optional<PackedFile> find(String name, Form form) {
        for (Path directory : directories) {
            Path archive = directory.resolve(name + form.suffix);
            try {
                String[] noted = Files.readString(directory.resolve(name + form.hashSuffix))
                        .strip()
                        .split(" ", -1);
                if (noted.length == 2 && Files.size(archive) == Long.parseLong(noted[1])) {
                    return Optional.of(new PackedFile(new ContentId(noted[0]), archive));
                }
            } catch (NoSuchFileException absent) {
                LOG.trace("archive {}: not kept", archive, absent);
            } catch (IOException | IllegalArgumentException damaged) {
                LOG.warn("archive {}: not used, it is made again", archive, damaged);
            }
        }
        return Optional.empty();
    }

    /** Makes an archive and keeps it. Returns an empty value if no directory can be written. */
    private Optional<PackedFile> keep(String name, List<ArchiveEntry> entries, Form form) {
        for (Path directory : directories) {
            try {
                Files.createDirectories(directory);
                Path archive = directory.resolve(name + form.suffix);
                ContentId content = place(archive, incoming -> pack(entries, incoming, form));
                String noted = content + " " + Files.size(archive) + "\n";
                place(directory.resolve(name + form.hashSuffix), incoming -> {
                    Files.write(incoming, noted.getBytes(StandardCharsets.UTF_8));
                    return content;
                });
                removeOldest(directory, form);
                return Optional.of(new PackedFile(content, archive));
            } catch (IOException failure) {
                LOG.debug("archive of this installation: not kept in {}", directory, failure);
            }
        }
        return Optional.empty();
    }

    private static ContentId place(Path file, Writing writing) throws IOException {
        Path incoming = file.resolveSibling(INCOMING + UUID.randomUUID());
        try {
            ContentId content = writing.to(incoming);
            Files.move(incoming, file, StandardCopyOption.ATOMIC_MOVE);
            return content;
        } finally {
            Files.deleteIfExists(incoming);
        }
    }

    private static ContentId pack(List<ArchiveEntry> entries, Path incoming, Form form) throws IOException {
        MessageDigest digest = ContentId.digest();
        try (OutputStream digested = new DigestOutputStream(Files.newOutputStream(incoming), digest);
                OutputStream packed = form == Form.GZIP ? new GZIPOutputStream(digested, BUFFER_BYTES) : digested;
                OutputStream out = new BufferedOutputStream(packed, BUFFER_BYTES)) {
            new TarWriter(out).write(entries);
        }
        return ContentId.of(digest);
    }

    private static String fingerprint(List<ArchiveEntry> entries) throws IOException {
        MessageDigest digest = ContentId.digest();
        for (ArchiveEntry entry : entries) {
            BasicFileAttributes file = Files.readAttributes(entry.file(), BasicFileAttributes.class);
            String line = entry.name() + "\0" + entry.executable() + "\0" + entry.file() + "\0" + file.size() + "\0"
                    + file.lastModifiedTime().toInstant() + "\n";
            digest.update(line.getBytes(StandardCharsets.UTF_8));
        }
        return "hearth-" + ContentId.of(digest).sha256();
    }

    private static void removeOldest(Path directory, Form form) throws IOException {
        List<Path> archives = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "hearth-*" + form.suffix)) {
            files.forEach(archives::add);
        }
        archives.sort(Comparator.comparing(ArchiveStore::time).reversed());
        for (Path old : archives.subList(Math.min(KEPT_MAX, archives.size()), archives.size())) {
            String name = old.getFileName().toString();
            Files.deleteIfExists(old);
            Files.deleteIfExists(
                    old.resolveSibling(name.substring(0, name.length() - form.suffix.length()) + form.hashSuffix));
        }
    }

    private static FileTime time(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            LOG.trace("archive {}: removed by another process", file, gone);
            return FileTime.fromMillis(0);
        }
    }
}
