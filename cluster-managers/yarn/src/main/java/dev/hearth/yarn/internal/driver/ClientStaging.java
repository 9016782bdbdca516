package dev.hearth.yarn.internal.driver;

import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.store.FileVisibility;
import dev.hearth.yarn.internal.store.StagingStore;
import dev.hearth.yarn.internal.store.StoreFiles;
import dev.hearth.yarn.internal.store.StoredContent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of an application in client mode on the cluster's file system: the platform, and Hadoop's configuration for the
 * relay. Executors get jars of the application from their driver. Blocks; used by one thread.
 */
final class ClientStaging {
    private static final Logger LOG = LoggerFactory.getLogger(ClientStaging.class);
    private static final Set<String> ROLES = Set.of("driver", "executor", "am");
    private static final List<String> SITE_FILES = List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml");

    private final YarnSession session;
    private final StagingSettings settings;
    private final StagingStore store;
    private final FileVisibility visibility;
    private final List<StoredContent> contents = new ArrayList<>();

    ClientStaging(YarnSession session, StagingSettings settings) {
        this.session = session;
        this.settings = settings;
        this.store = new StagingStore(
                session.files(), session.storeRoot(), () -> UUID.randomUUID().toString(), LOG::warn);
        this.visibility = new FileVisibility(session.files());
    }

    /** Brings the files of {@code application}, of which a relay needs the configuration, too. */
    StagedFiles stage(String application, Installation installation, boolean hasRelay) throws IOException {
        List<ContainerFile> files = new ArrayList<>();
        Path archive = Files.createTempFile("hearth-", ".tar");
        try {
            ContentId id = installation.archive(ROLES, archive);
            files.add(file(
                    StagedFiles.PLATFORM,
                    ContainerFile.Kind.ARCHIVE,
                    put(id, "hearth.tar", Files.size(archive), () -> Files.newInputStream(archive))));
        } finally {
            Files.delete(archive);
        }
        if (hasRelay) {
            Bytes site = session.configuration();
            MessageDigest digest = ContentId.digest();
            site.read(digest::update);
            StoredContent stored =
                    put(ContentId.of(digest), "site.xml", site.size(), () -> new ByteArrayInputStream(site.toArray()));
            for (String name : SITE_FILES) {
                files.add(file(StagedFiles.CONFIGURATION + "/" + name, ContainerFile.Kind.FILE, stored));
            }
        }
        store.lease(application, contents);
        return new StagedFiles(files);
    }

    /** Takes back what only {@code application} uses. */
    void undo(String application) throws IOException {
        store.release(application);
    }

    private StoredContent put(ContentId id, String name, long bytes, StoreFiles.Source source) throws IOException {
        StoredContent stored = store.put(id, name, bytes, settings.replication().orElse(0), source);
        contents.add(stored);
        return stored;
    }

    private ContainerFile file(String link, ContainerFile.Kind kind, StoredContent stored) throws IOException {
        return new ContainerFile(
                link,
                stored.address(),
                stored.bytes(),
                stored.changedMillis(),
                kind,
                store.isShared() ? visibility.of(stored.path()) : ContainerFile.Visibility.PRIVATE);
    }
}
