package dev.hearth.yarn.internal.submission;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.line.ContainerFile.Visibility;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.store.FileVisibility;
import dev.hearth.yarn.internal.store.StagingStore;
import dev.hearth.yarn.internal.store.StoreFiles;
import dev.hearth.yarn.internal.store.StoredContent;
import dev.hearth.yarn.internal.store.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Brings the files of one application to the cluster's file system. Blocks; used once, by one thread at a time. */
final class ApplicationStaging {
    /** Names under which Hadoop looks for its configuration; each gets the same file. */
    private static final List<String> SITE_FILES =
            List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");

    private static final LocalDateTime ZIP_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
    /** End of the name of the archive of the platform. */
    static final String PLATFORM_NAME = "platform.tar.gz";

    private static final int REPLICATION_MAX = 10;
    private static final int OWN_DIRECTORY = 0700;
    private static final int OWN_FILE = 0600;

    private final YarnSession session;
    private final StagingSettings settings;
    private final StagingStore store;
    private final FileVisibility visibility;
    private final List<StoredContent> contents = new ArrayList<>();
    private long uploaded;

    ApplicationStaging(YarnSession session, StagingSettings settings, StagingStore store) {
        this.session = session;
        this.settings = settings;
        this.store = store;
        this.visibility = new FileVisibility(session.files());
    }

    /** Bytes that were sent. */
    long uploaded() {
        return uploaded;
    }

    /** The directory of the own files of {@code application}. */
    String directory(String application) {
        return session.stagingRoot() + "/" + application;
    }

    /** Number of replicas of the archive of the platform at a cluster of {@code nodes} nodes. */
    static int platformReplication(StagingSettings settings, int nodes) {
        return settings.replication().orElse(Math.max(1, Math.min(REPLICATION_MAX, nodes)));
    }

    /** The archive of the platform, replicated for {@code nodes} nodes. */
    ContainerFile platform(PackedFile archive, int nodes) throws IOException {
        return everywhere(StagedFiles.PLATFORM, PLATFORM_NAME, archive, nodes);
    }

    /** The archive of the platform's classes. */
    ContainerFile classes(PackedFile archive, int nodes) throws IOException {
        return everywhere(StagedFiles.CLASSES, "classes.tar.gz", archive, nodes);
    }

    private ContainerFile everywhere(String link, String name, PackedFile archive, int nodes) throws IOException {
        int replication = platformReplication(settings, nodes);
        Path file = archive.file();
        return file(
                link,
                ContainerFile.Kind.ARCHIVE,
                put(archive.content(), name, Files.size(file), replication, () -> Files.newInputStream(file)));
    }

    /** The archive of the platform that {@code address} names. */
    ContainerFile platformAt(String address) throws IOException {
        return inPlace(StagedFiles.PLATFORM, ContainerFile.Kind.ARCHIVE, URI.create(address))
                .orElseThrow(() -> ErrorCode.PATH_MISSING.failure("hearth.yarn.archive: " + address
                        + ": not on the file system of the staging directory, or missing (expected: an archive of Hearth"
                        + " there)"));
    }

    /** A frozen bundle, whose jar is the local file {@code jar}. */
    ContainerFile bundle(Path jar, ContentId content, String name) throws IOException {
        String file = content.sha256() + ".jar";
        return file(
                StagedFiles.BUNDLES + "/" + file,
                ContainerFile.Kind.FILE,
                put(content, name + ".jar", Files.size(jar), replication(), () -> Files.newInputStream(jar)));
    }

    /** A bundle that takes the place of that of the installation, whose jar is the local file {@code jar}. */
    ContainerFile sent(Path jar, FrozenBundle bundle) throws IOException {
        ContainerFile staged = bundle(jar, bundle.content(), bundle.name());
        String link = StagedFiles.SENT + "/" + bundle.name() + "-" + bundle.version() + ".jar";
        return new ContainerFile(
                link, staged.address(), staged.bytes(), staged.changedMillis(), staged.kind(), staged.visibility());
    }

    /**
     * Hadoop's configuration, as an archive with the same file under each name by which Hadoop looks for it. NodeManagers
     * make one link for each content, so that files of one content under several names would lack all but one.
     */
    List<ContainerFile> configuration(Bytes text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : SITE_FILES) {
                ZipEntry entry = new ZipEntry(name);
                entry.setTimeLocal(ZIP_TIME); // the same configuration is the same content
                zip.putNextEntry(entry);
                zip.write(text.toArray());
                zip.closeEntry();
            }
        }
        byte[] content = bytes.toByteArray();
        MessageDigest digest = ContentId.digest();
        digest.update(content);
        StoredContent stored = put(
                ContentId.of(digest),
                "conf.zip",
                content.length,
                replication(),
                () -> new ByteArrayInputStream(content));
        return List.of(file(DriverContainer.CONFIGURATION, ContainerFile.Kind.ARCHIVE, stored));
    }

    /** The files of the plan, in their order. */
    Map<PlannedFile, ContainerFile> all(List<PlannedFile> planned) throws IOException {
        Map<PlannedFile, ContainerFile> files = new LinkedHashMap<>();
        for (PlannedFile file : planned) {
            files.put(file, one(file));
        }
        return files;
    }

    private ContainerFile one(PlannedFile planned) throws IOException {
        if (planned.local().isPresent() && planned.content().isPresent()) {
            Path path = planned.local().get();
            return file(
                    planned.link(),
                    planned.kind(),
                    put(
                            planned.content().get(),
                            planned.name(),
                            Files.size(path),
                            replication(),
                            () -> Files.newInputStream(path)));
        }
        URI remote = planned.remote().orElseThrow();
        Optional<ContainerFile> there = inPlace(planned.link(), planned.kind(), remote);
        return there.isPresent() ? there.get() : file(planned.link(), planned.kind(), copied(planned.name(), remote));
    }

    /** The file itself if it is on the file system of the store. */
    private Optional<ContainerFile> inPlace(String link, ContainerFile.Kind kind, URI address) throws IOException {
        Optional<String> path = session.path(address);
        if (path.isEmpty()) {
            return Optional.empty();
        }
        Optional<StoredFile> found = session.files().look(path.get());
        if (found.isEmpty()) {
            throw ErrorCode.PATH_MISSING.failure(
                    "'" + address + "': no such file on the cluster (expected: a file that can be read)");
        }
        return Optional.of(new ContainerFile(
                link,
                session.files().address(path.get()),
                found.get().bytes(),
                found.get().changedMillis(),
                kind,
                visibility.of(path.get())));
    }

    /** Copies a file of another file system into the store, in one pass. */
    private StoredContent copied(String name, URI address) throws IOException {
        StoredContent stored = store.putUnknown(name, replication(), () -> session.open(address));
        contents.add(stored);
        uploaded += stored.uploaded();
        return stored;
    }

    private StoredContent put(ContentId content, String name, long bytes, int replication, StoreFiles.Source source)
            throws IOException {
        StoredContent stored = store.put(content, name, bytes, replication, source);
        contents.add(stored);
        uploaded += stored.uploaded();
        return stored;
    }

    private ContainerFile file(String link, ContainerFile.Kind kind, StoredContent stored) throws IOException {
        Visibility shared = store.isShared() ? visibility.of(stored.path()) : Visibility.PRIVATE;
        return new ContainerFile(link, stored.address(), stored.bytes(), stored.changedMillis(), kind, shared);
    }

    private int replication() {
        return settings.replication().orElse(0);
    }

    /** Writes the lease of {@code application} on everything that was put. */
    void lease(String application) throws IOException {
        store.lease(application, contents);
    }

    /** Writes the file {@code name} into the directory of {@code application}, which only its owner can read. */
    ContainerFile own(String application, String name, Bytes content) throws IOException {
        byte[] bytes = content.toArray();
        String directory = directory(application);
        session.files().directory(directory, OWN_DIRECTORY);
        String path = directory + "/" + name;
        session.files().write(path, OWN_FILE, settings.replication().orElse(0), () -> new ByteArrayInputStream(bytes));
        uploaded += bytes.length;
        StoredFile written =
                session.files().look(path).orElseThrow(() -> new IOException(path + ": vanished after it was written"));
        return new ContainerFile(
                name,
                session.files().address(path),
                written.bytes(),
                written.changedMillis(),
                ContainerFile.Kind.FILE,
                Visibility.APPLICATION);
    }

    /** As {@link #own}, for a text. */
    ContainerFile own(String application, String name, String text) throws IOException {
        return own(application, name, Bytes.owning(text.getBytes(UTF_8)));
    }

    /** Removes what only {@code application} uses. */
    void undo(String application) throws IOException {
        session.files().remove(directory(application));
        store.release(application);
    }
}
