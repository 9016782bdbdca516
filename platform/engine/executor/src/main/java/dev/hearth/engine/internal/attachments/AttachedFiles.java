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
 * The attachments of an application in one process, as tasks find them: files when a task asks for one, jars before the next task
 * begins. Any thread may call. Each is fetched once, under a lock of its own; what failed is tried again by who asks next. Jars
 * are guarded by a lock as well; the list of what there is by this object, which is never held while anything is fetched.
 */
public final class AttachedFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AttachedFiles.class);

    private final ApplicationDirectories directory;
    private final ClassLoader application;
    private final Fetch fetch;
    private volatile Map<String, Place> places = Map.of(); // by key; replaced whole, by update alone
    private final Object jarsLock = new Object(); // held while jars are fetched
    private volatile int jarsKnown;
    private volatile int jarsAdded;
    private volatile @Nullable JarClasses jars; // made with the first jar

    /** Brings content to where tasks are. */
    @FunctionalInterface
    public interface Fetch {
        /** Writes the content of {@code attachment} to {@code target}, which is not there yet. May block. */
        void fetch(Attachment attachment, Path target) throws IOException;
    }

    /** One attachment, and where it lies here once it was asked for; guarded by itself. */
    private static final class Place {
        private final Attachment attachment;
        private @Nullable Path path;

        Place(Attachment attachment) {
            this.attachment = attachment;
        }
    }

    /** {@code application} are the classes that those of jars build on. */
    public AttachedFiles(ApplicationDirectories directory, ClassLoader application, Fetch fetch) {
        this.directory = directory;
        this.application = application;
        this.fetch = fetch;
    }

    /** Makes known what there is by now: earlier attachments stay as they are. */
    public synchronized void update(List<Attachment> all) {
        Map<String, Place> known = new LinkedHashMap<>(places);
        int jarsThere = 0;
        for (Attachment attachment : all) {
            known.computeIfAbsent(attachment.key(), key -> new Place(attachment));
            jarsThere += attachment.kind() == AttachmentKind.JAR ? 1 : 0;
        }
        places = known;
        jarsKnown = Math.max(jarsKnown, jarsThere);
    }

    /** Where a file, a directory or an unpacked archive lies; fetched when it is asked for first. */
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

    /** Whether a task has to be given {@link #classes} before it begins. */
    public boolean hasJars() {
        return jarsKnown > 0;
    }

    /** The application's classes, and beside them those of all jars that were added. */
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
                known = bring(place.attachment);
                place.path = known;
            }
            return known;
        }
    }

    private Path bring(Attachment attachment) {
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
                    "attached file '" + attachment.name() + "': cannot be brought to " + place + ", " + failure
                            + " (expected: room for it there)",
                    failure);
        }
    }

    /** Programs are attached as well; who may not read a file may not run it either. */
    static void makeExecutable(Path file) {
        if (!file.toFile().setExecutable(true, true)) {
            LOG.warn("attached file {}: cannot be made executable", file);
        }
    }

    @Override
    public void close() {
        directory.close(); // from here on nothing is fetched
        JarClasses loader = jars;
        if (loader != null) {
            try {
                loader.close();
            } catch (IOException failure) {
                LOG.warn("jars that were added: cannot be closed", failure);
            }
        }
    }

    private static final class JarClasses extends URLClassLoader {
        JarClasses(ClassLoader application) {
            super("jars that were added", new URL[0], application);
        }

        void add(Path jar) {
            try {
                addURL(jar.toUri().toURL());
            } catch (MalformedURLException impossible) { // of a file
                throw new IllegalStateException(impossible);
            }
        }
    }
}
