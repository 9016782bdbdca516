package dev.hearth.engine.internal.attachments;

import dev.hearth.engine.internal.disk.ApplicationDirectories;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the attachments of an application available to its tasks in one process. A file is fetched when a task first
 * asks for it, jars before the next task of the process begins. Each attachment is fetched once; a failed fetch is
 * retried at the next call. The lock of this object guards the list of attachments and is not held during a fetch. Each
 * entry of the list has a lock for its own fetch, and {@code jarsLock} guards the class loader of the jars. Any thread
 * may call.
 */
public final class AttachedFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AttachedFiles.class);

    private final ApplicationDirectories directory;
    private final ClassLoader application;
    private final Fetch fetch;
    private volatile Map<String, Place> places = Map.of(); // attachments by key; only `update` assigns a new map
    private final Object jarsLock = new Object(); // lock held while jars are fetched
    private volatile int jarsKnown;
    private volatile int jarsAdded;
    private volatile @Nullable JarClasses jars; // class loader of the added jars, created with the first jar

    /** Fetches the bytes of attachments from the driver to this process. */
    @FunctionalInterface
    public interface Fetch {
        /** Writes the bytes of {@code attachment} to the file {@code target}, which does not exist yet. May block. */
        void fetch(Attachment attachment, Path target) throws IOException;
    }

    /**
     * Entry of the list: an attachment, and the local path of its file once the file has been fetched. The entry's own
     * lock guards the path.
     */
    private static final class Place {
        private final Attachment attachment;
        private @Nullable Path path;

        Place(Attachment attachment) {
            this.attachment = attachment;
        }
    }

    /**
     * Creates an empty list. {@code application} is the class loader of the application's own code and becomes the
     * parent of the class loader for added jars.
     */
    public AttachedFiles(ApplicationDirectories directory, ClassLoader application, Fetch fetch) {
        this.directory = directory;
        this.application = application;
        this.fetch = fetch;
    }

    /** Adds those attachments of {@code all}, the complete list of the driver, that this process does not know yet. */
    public synchronized void update(List<Attachment> all) {
        Map<String, Place> known = new LinkedHashMap<>(places);
        int jarCount = 0;
        for (Attachment attachment : all) {
            known.computeIfAbsent(attachment.key(), key -> new Place(attachment));
            jarCount += attachment.kind() == AttachmentKind.JAR ? 1 : 0;
        }
        places = known;
        jarsKnown = Math.max(jarsKnown, jarCount);
    }

    /** Returns the local path of a file, a directory or an unpacked archive. The first call fetches it. */
    public Path path(String name) {
        Place place = places.get("file " + name);
        if (place == null) {
            TreeSet<String> names = new TreeSet<>();
            places.values().stream()
                    .map(known -> known.attachment)
                    .filter(known -> known.kind() != AttachmentKind.JAR)
                    .forEach(known -> names.add(known.name()));
            throw ErrorCode.PATH_MISSING.failure("attached file '" + name + "': none of that name (expected: one of "
                    + names + "); add it by HearthContext.addFile or addArchive before the job");
        }
        return placed(place);
    }

    /** Whether the application has added jars, so that tasks need the class loader of {@link #classes}. */
    public boolean hasJars() {
        return jarsKnown > 0;
    }

    /** Returns the class loader that loads the application's own classes and the classes of all added jars. */
    public ClassLoader classes() {
        JarClasses known = jars;
        return known != null && jarsAdded == jarsKnown ? known : addJars();
    }

    private ClassLoader addJars() {
        synchronized (jarsLock) {
            return addJarsLocked();
        }
    }

    private ClassLoader addJarsLocked() {
        JarClasses loader = jars;
        if (loader == null) {
            loader = new JarClasses(application);
            jars = loader;
        }
        int seen = 0;
        for (Place place : places.values()) {
            if (place.attachment.kind() == AttachmentKind.JAR && ++seen > jarsAdded) {
                loader.add(placed(place));
                jarsAdded = seen;
            }
        }
        return loader;
    }

    private Path placed(Place place) {
        synchronized (place) {
            Path known = place.path;
            if (known == null) {
                known = fetched(place.attachment);
                place.path = known;
            }
            return known;
        }
    }

    private Path fetched(Attachment attachment) {
        Path incoming =
                directory.directory("incoming").resolve(UUID.randomUUID().toString());
        boolean isJar = attachment.kind() == AttachmentKind.JAR;
        Path place = directory.directory(isJar ? "jars" : "files").resolve(attachment.name());
        try {
            fetch.fetch(attachment, incoming);
            Path ready = incoming;
            if (attachment.kind().isPacked()) {
                ready = incoming.resolveSibling(incoming.getFileName() + "-unpacked");
                ZipArchives.unpack("attached file '" + attachment.name() + "'", incoming, ready);
                Files.delete(incoming);
            } else if (!isJar) {
                makeExecutable(incoming);
            }
            return Files.move(ready, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "attached file '" + attachment.name() + "': cannot be placed at " + place + ", " + failure
                            + " (expected: free space for it there)",
                    failure);
        }
    }

    /**
     * Makes {@code file} executable for its owner, because an attached file may be a program that tasks run. Logs a
     * warning if that fails.
     */
    static void makeExecutable(Path file) {
        if (!file.toFile().setExecutable(true, true)) {
            LOG.warn("attached file {}: cannot be made executable", file);
        }
    }

    @Override
    public void close() {
        directory.close(); // the directory is closed first, so that later fetches fail
        JarClasses loader = jars;
        if (loader != null) {
            try {
                loader.close();
            } catch (IOException failure) {
                LOG.warn("added jars: cannot be closed", failure);
            }
        }
    }

    private static final class JarClasses extends URLClassLoader {
        JarClasses(ClassLoader application) {
            super("added jars", new URL[0], application);
        }

        void add(Path jar) {
            try {
                addURL(jar.toUri().toURL());
            } catch (MalformedURLException impossible) { // the path of a file is always a valid URL
                throw new IllegalStateException(impossible);
            }
        }
    }
}
