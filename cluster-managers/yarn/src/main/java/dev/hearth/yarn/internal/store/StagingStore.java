package dev.hearth.yarn.internal.store;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Store of contents below one directory. Used by one thread; remembers what it has listed, so that each directory costs one
 * call.
 */
public final class StagingStore {
    /** Permissions of contents below a directory that everybody can enter, and of all others. */
    static final int FOR_ALL = 0644;

    static final int FOR_OWNER = 0600;
    private static final int DIRECTORY_FOR_ALL = 0755;
    private static final int DIRECTORY_FOR_OWNER = 0700;
    private static final int OTHERS_ENTER = 0001;
    /** Files of one hash and other sizes that are looked at, at most. */
    private static final int VARIANTS_MAX = 9;

    private static final int SHARD_CHARACTERS = 2;

    private final StoreFiles files;
    private final String root;
    private final Supplier<String> randomNames;
    private final Consumer<String> warnings;
    private final Map<String, List<StoredFile>> shards = new LinkedHashMap<>();
    private Optional<Boolean> shared = Optional.empty();

    /** Store in the directory {@code root}; {@code randomNames} supplies a name of its own each time. */
    public StagingStore(StoreFiles files, String root, Supplier<String> randomNames, Consumer<String> warnings) {
        this.files = files;
        this.root = root;
        this.randomNames = randomNames;
        this.warnings = warnings;
    }

    /** The directory of the store. */
    public String root() {
        return root;
    }

    /** Whether all users may read the contents, because an administrator has made the directory so. */
    public boolean isShared() throws IOException {
        if (shared.isEmpty()) {
            Optional<StoredFile> directory = files.look(root);
            if (directory.isEmpty()) {
                files.directory(root, DIRECTORY_FOR_OWNER);
            }
            shared = Optional.of(directory
                    .filter(found -> (found.permissions() & OTHERS_ENTER) != 0)
                    .isPresent());
        }
        return shared.get();
    }

    /**
     * Returns the content {@code id} of {@code bytes} bytes, which {@code source} supplies if it is not there yet. {@code
     * name} is the end of its file name.
     */
    public StoredContent put(ContentId id, String name, long bytes, int replication, StoreFiles.Source source)
            throws IOException {
        String shard = root + "/" + id.sha256().substring(0, SHARD_CHARACTERS);
        for (int variant = 1; variant <= VARIANTS_MAX; variant++) {
            String file = id.sha256() + (variant == 1 ? "" : "." + variant) + "-" + safe(name);
            Optional<StoredFile> found = find(shard, file);
            if (found.isEmpty()) {
                return upload(id, shard, file, bytes, replication, source);
            }
            if (found.get().bytes() == bytes) {
                return stored(id, shard, found.get(), 0);
            }
            warnings.accept("store: " + shard + "/" + file + ": " + found.get().bytes() + " bytes (expected: " + bytes
                    + "); another file is written beside it");
        }
        throw ErrorCode.FILE_DAMAGED.failure("store: " + shard + ": " + VARIANTS_MAX + " damaged files of "
                + id.sha256() + " (expected: one of " + bytes + " bytes); remove them");
    }

    private Optional<StoredFile> find(String shard, String file) throws IOException {
        List<StoredFile> listed = shards.get(shard);
        if (listed == null) {
            listed = files.list(shard);
            shards.put(shard, listed);
        }
        return listed.stream().filter(found -> found.name().equals(file)).findFirst();
    }

    private StoredContent upload(
            ContentId id, String shard, String file, long bytes, int replication, StoreFiles.Source source)
            throws IOException {
        boolean all = isShared();
        String incoming = root + "/in/" + randomNames.get();
        files.directory(root + "/in", all ? DIRECTORY_FOR_ALL : DIRECTORY_FOR_OWNER);
        files.directory(shard, all ? DIRECTORY_FOR_ALL : DIRECTORY_FOR_OWNER);
        String target = shard + "/" + file;
        try {
            files.write(incoming, all ? FOR_ALL : FOR_OWNER, replication, source);
            if (!files.rename(incoming, target)) {
                files.remove(incoming); // another submitter was faster
            }
        } catch (IOException failure) {
            removeQuietly(incoming, failure);
            throw failure;
        }
        shards.remove(shard);
        StoredFile found =
                files.look(target).orElseThrow(() -> new IOException(target + ": vanished while it was uploaded"));
        if (found.bytes() != bytes) {
            shards.put(shard, new ArrayList<>(List.of(found)));
            return put(id, file.substring(file.indexOf('-') + 1), bytes, replication, source);
        }
        return stored(id, shard, found, bytes);
    }

    /**
     * Returns a content whose hash is known from its bytes alone. They are read once, from {@code source}, and written each time,
     * even if they are there already.
     */
    public StoredContent putUnknown(String name, int replication, StoreFiles.Source source) throws IOException {
        boolean all = isShared();
        String incoming = root + "/in/" + randomNames.get();
        files.directory(root + "/in", all ? DIRECTORY_FOR_ALL : DIRECTORY_FOR_OWNER);
        MessageDigest digest = ContentId.digest();
        try {
            files.write(
                    incoming,
                    all ? FOR_ALL : FOR_OWNER,
                    replication,
                    () -> new DigestInputStream(source.open(), digest));
            ContentId id = ContentId.of(digest);
            long bytes = files.look(incoming)
                    .orElseThrow(() -> new IOException(incoming + ": vanished while it was uploaded"))
                    .bytes();
            String shard = root + "/" + id.sha256().substring(0, SHARD_CHARACTERS);
            files.directory(shard, all ? DIRECTORY_FOR_ALL : DIRECTORY_FOR_OWNER);
            if (!files.rename(incoming, shard + "/" + id.sha256() + "-" + safe(name))) {
                files.remove(incoming);
            }
            shards.remove(shard);
            StoredContent stored = put(id, name, bytes, replication, source);
            return new StoredContent(
                    id, stored.path(), stored.address(), bytes, stored.changedMillis(), bytes + stored.uploaded());
        } catch (IOException failure) {
            removeQuietly(incoming, failure);
            throw failure;
        }
    }

    private void removeQuietly(String path, IOException failure) {
        try {
            files.remove(path);
        } catch (IOException again) {
            failure.addSuppressed(again); // the sweep removes it
        }
    }

    private StoredContent stored(ContentId id, String shard, StoredFile found, long uploaded) {
        String path = shard + "/" + found.name();
        return new StoredContent(id, path, files.address(path), found.bytes(), found.changedMillis(), uploaded);
    }

    /** Forgets what was listed, so that contents that have vanished are uploaded again. */
    public void forget() {
        shards.clear();
    }

    /** Records that {@code application} uses {@code contents}, so that no sweep removes them. */
    public void lease(String application, List<StoredContent> contents) throws IOException {
        StringBuilder text = new StringBuilder();
        contents.forEach(content ->
                text.append(content.path().substring(root.length() + 1)).append('\n'));
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        String path = root + "/" + StoreSweep.LEASES + "/" + application;
        try {
            files.write(path, FOR_OWNER, 0, () -> new ByteArrayInputStream(bytes));
        } catch (FileAlreadyExistsException again) {
            files.remove(path);
            files.write(path, FOR_OWNER, 0, () -> new ByteArrayInputStream(bytes));
        }
    }

    /** Takes a lease back. */
    public void release(String application) throws IOException {
        files.remove(root + "/" + StoreSweep.LEASES + "/" + application);
    }

    /** The name with characters that every file system takes. */
    private static String safe(String name) {
        String safe = name.replaceAll("[^A-Za-z0-9._-]", "_");
        return safe.length() > 100 ? safe.substring(safe.length() - 100) : safe;
    }
}
