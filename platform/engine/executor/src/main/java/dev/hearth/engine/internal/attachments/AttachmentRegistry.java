package dev.hearth.engine.internal.attachments;

import dev.hearth.engine.internal.disk.ApplicationDirectories;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Registry, in the driver, of the attachments that its application has added. It stores a copy of each attachment, in a
 * file named by the content hash. Any thread may call; the list is guarded by its own lock, files are copied without
 * the lock.
 * <p>Invariants: a name refers to the same bytes as long as the application lives; the copy of every listed attachment
 * exists.
 */
public final class AttachmentRegistry {
    /** Maximum number of attachments of one application. */
    private static final int ATTACHMENTS_MAX = 10_000;

    private static final String CONTENT = "content";

    private final ApplicationDirectories directory;
    private final ApplicationStores stores;
    private final Consumer<List<Attachment>> changed;
    private final Map<String, Attachment> byKey = new LinkedHashMap<>(); // guarded by itself

    /**
     * {@code changed} is called after each addition, with all attachments in the order in which they were added. It is
     * called under the lock of the list, so it must not block.
     */
    public AttachmentRegistry(
            ApplicationDirectories directory, ApplicationStores stores, Consumer<List<Attachment>> changed) {
        this.directory = directory;
        this.stores = stores;
        this.changed = changed;
    }

    /** Adds a file, or, if {@code recursive} is set, a directory with all files in it. */
    public Attachment addFile(String path, boolean recursive) {
        String subject = "addFile: '" + path + "'";
        try (AttachmentSource file = open(subject, path)) {
            if (!file.isDirectory()) {
                return add(subject, plainName(subject, file.name()), AttachmentKind.FILE, file.path());
            }
            if (!recursive) {
                throw ErrorCode.BAD_ARGUMENT.failure(subject
                        + ": a directory (expected: a file); call addFile(path, true) to add all that is in it");
            }
            return add(subject, plainName(subject, file.name()), AttachmentKind.DIRECTORY, file.path());
        }
    }

    /** Adds a jar, whose classes the application's tasks can load. */
    public Attachment addJar(String path) {
        String subject = "addJar: '" + path + "'";
        try (AttachmentSource jar = openZip(subject, path)) {
            return add(subject, plainName(subject, jar.name()), AttachmentKind.JAR, jar.path());
        }
    }

    /**
     * Adds an archive, which tasks see unpacked. Its name is the archive's own name, or the name after a {@code #} in
     * the path.
     */
    public Attachment addArchive(String path) {
        String subject = "addArchive: '" + path + "'";
        int sign = path.lastIndexOf('#');
        try (AttachmentSource archive = openZip(subject, sign < 0 ? path : path.substring(0, sign))) {
            String name = sign < 0 ? archive.name() : path.substring(sign + 1);
            return add(subject, plainName(subject, name), AttachmentKind.ARCHIVE, archive.path());
        }
    }

    private AttachmentSource open(String subject, String path) {
        return AttachmentSource.open(subject, path, stores, this::fetched);
    }

    private AttachmentSource openZip(String subject, String path) {
        AttachmentSource file = AttachmentSource.openFile(subject, path, stores, this::fetched);
        try {
            ZipArchives.check(subject, file.path());
            return file;
        } catch (RuntimeException refused) {
            file.close();
            throw refused;
        }
    }

    private Path fetched() {
        return directory.directory(CONTENT).resolve("fetched-" + UUID.randomUUID());
    }

    /**
     * Adds a file or an archive that a setting names, under the given name. {@code subject} begins error messages.
     */
    Attachment add(String subject, AttachmentKind kind, String path, String name) {
        try (AttachmentSource file = kind == AttachmentKind.ARCHIVE
                ? openZip(subject, path)
                : AttachmentSource.openFile(subject, path, stores, this::fetched)) {
            return add(subject, name, kind, file.path());
        }
    }

    /** Returns all attachments of the application, in the order in which they were added. */
    public List<Attachment> all() {
        synchronized (byKey) {
            return List.copyOf(byKey.values());
        }
    }

    /**
     * Returns the path of the stored copy of the attachment with this hash. The driver serves executors from this copy.
     */
    public Path content(ContentId content) {
        return directory.directory(CONTENT).resolve(content.sha256());
    }

    static String plainName(String subject, String name) {
        if (name.isBlank() || name.equals(".") || name.equals("..") || name.contains("/") || name.contains("\\")) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    subject + ": name '" + name + "' (expected: a name of one file, without slashes)");
        }
        return name;
    }

    private Attachment add(String subject, String name, AttachmentKind kind, Path source) {
        Path copy = null;
        try {
            String before = stamp(kind, source);
            copy = directory.directory(CONTENT).resolve("incoming-" + UUID.randomUUID());
            ContentId content = copy(kind, source, copy);
            if (!stamp(kind, source).equals(before)) {
                throw ErrorCode.FILE_DAMAGED.failure(subject + ": changed while it was copied (expected: the same size"
                        + " and time of change before and after); add it once it is complete");
            }
            long size = Files.size(copy);
            synchronized (byKey) {
                Attachment known = refuseOther(subject, new Attachment(name, kind, content, size, byKey.size() + 1));
                if (byKey.putIfAbsent(known.key(), known) == null) {
                    Files.move(copy, content(content), StandardCopyOption.REPLACE_EXISTING);
                    changed.accept(List.copyOf(byKey.values()));
                }
                return known;
            }
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    subject + ": cannot be copied, " + failure + " (expected: a readable file, and free space for"
                            + " its copy)",
                    failure);
        } finally {
            remove(copy);
        }
    }

    /**
     * Returns the attachment already registered under the key of {@code asked}, or {@code asked} itself if there is
     * none. Fails if the registered attachment differs in kind or content, or if no further attachment is allowed. The
     * caller holds the lock of the list.
     */
    private Attachment refuseOther(String subject, Attachment asked) {
        Attachment known = byKey.get(asked.key());
        if (known == null) {
            if (byKey.size() == ATTACHMENTS_MAX) {
                throw ErrorCode.BAD_ARGUMENT.failure(subject + ": " + ATTACHMENTS_MAX
                        + " files and jars have been added (expected: at most that many); pack several files into"
                        + " an archive");
            }
            return asked;
        }
        if (known.kind() != asked.kind() || !known.content().equals(asked.content())) {
            throw ErrorCode.PATH_EXISTS.failure(subject + ": another " + asked.name()
                    + " was added before (expected: one file per name, as tasks may already use the first); give"
                    + " this file another name");
        }
        return known;
    }

    private static ContentId copy(AttachmentKind kind, Path source, Path copy) throws IOException {
        MessageDigest digest = ContentId.digest();
        if (kind == AttachmentKind.DIRECTORY) {
            ZipArchives.pack(source, copy);
            try (InputStream in = Files.newInputStream(copy);
                    OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
                in.transferTo(out);
            }
        } else {
            try (InputStream in = Files.newInputStream(source);
                    OutputStream out = new DigestOutputStream(Files.newOutputStream(copy), digest)) {
                in.transferTo(out);
            }
        }
        return ContentId.of(digest);
    }

    /** Size and time of the last change of a file; empty for a directory. */
    private static String stamp(AttachmentKind kind, Path source) throws IOException {
        return kind == AttachmentKind.DIRECTORY ? "" : Files.size(source) + " " + Files.getLastModifiedTime(source);
    }

    private static void remove(@Nullable Path copy) {
        if (copy == null) {
            return;
        }
        copy.toFile().delete(); // a copy that cannot be deleted now is deleted with its directory
    }
}
