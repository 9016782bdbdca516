package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Pauses;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies of files from HTTP servers, by their addresses, in a directory that processes of one user share. A copy is used
 * again if its server says that it is unchanged, or if it has the hash that the address asks for. A lock on the address
 * lets one transfer of it run at a time. Thread-safe.
 */
final class HttpCache {
    private static final int LOCKS = 256;
    private static final long LOCK_POLL_MILLIS = 100;
    private static final int KEY_DIGITS = 32;

    private final CacheDirectory directory;
    private final HttpDownload.Bounds bounds;
    private final Ticker ticker;
    private final Pauses pauses;

    HttpCache(CacheDirectory directory, HttpDownload.Bounds bounds, Ticker ticker, Pauses pauses) {
        this.directory = directory;
        this.bounds = bounds;
        this.ticker = ticker;
        this.pauses = pauses;
    }

    /** Store for which a file is fetched. */
    interface Caller {
        /** Takes a transfer before it starts, so that it can be closed. */
        void began(HttpDownload download);

        /** Forgets a transfer that has ended. */
        void ended(HttpDownload download);

        /** Fails once the store is closed. */
        void requireOpen() throws StoreException;
    }

    /**
     * Returns a copy that is as the server has the file now; empty if the server has no such file. {@code caller} can
     * close the transfer. Fails with {@link StoreException} if the transfer does.
     */
    Optional<CachedCopy> fetch(HttpAddress address, HttpFsSettings settings, Caller caller) throws IOException {
        String key = key(address);
        Path root = directory.open();
        try (FileChannel file = lockFile(root, key)) { // whose end releases the lock
            lock(file, settings, caller);
            return fetch(address, settings, root, key, caller);
        }
    }

    private Optional<CachedCopy> fetch(
            HttpAddress address, HttpFsSettings settings, Path root, String key, Caller caller) throws IOException {
        Optional<CachedCopy> known = CachedCopy.read(root, key);
        Optional<ContentId> wanted = address.content();
        if (known.isPresent() && wanted.isPresent()) {
            if (wanted.equals(known.get().content())) {
                known.get().use(ticker.wall());
                return known;
            }
            known = Optional.empty(); // whatever its server says, it is not what the address asks for
        }
        directory.sweep(root, ticker.wall());
        PartFile part = new PartFile(root.resolve(key + CacheDirectory.PART));
        HttpTransfer.Copy copy = known.map(CachedCopy::copy).orElse(HttpTransfer.Copy.NONE);
        HttpTransfer transfer = new HttpTransfer(settings, copy, part.left(), wanted, ticker.nanos());
        TransferStep.Result result;
        try (HttpDownload download = new HttpDownload(address, part, transfer, bounds, ticker)) {
            caller.began(download);
            try {
                result = download.run();
            } finally {
                caller.ended(download);
            }
        }
        return switch (result) {
            case MISSING -> Optional.empty();
            case KEEP -> {
                known.orElseThrow().use(ticker.wall());
                yield known;
            }
            case TAKE -> Optional.of(CachedCopy.take(root, key, part, transfer.received(), wanted, ticker.wall()));
        };
    }

    private static String key(HttpAddress address) {
        MessageDigest digest = ContentId.digest();
        digest.update(address.target().toString().getBytes(StandardCharsets.UTF_8));
        return ContentId.of(digest).sha256().substring(0, KEY_DIGITS);
    }

    private static FileChannel lockFile(Path root, String key) throws IOException {
        int number = Math.floorMod(key.hashCode(), LOCKS);
        return FileChannel.open(root.resolve("lock-" + number), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Waits for the lock in short steps: an unbounded wait could not end, and one process may not ask twice. */
    private void lock(FileChannel file, HttpFsSettings settings, Caller caller) throws IOException {
        long deadline = ticker.nanos() + settings.timeout().toNanos();
        while (true) {
            try {
                FileLock lock = file.tryLock();
                if (lock != null) {
                    return;
                }
            } catch (OverlappingFileLockException busy) {
                requireTime(deadline, busy);
            }
            requireTime(deadline, null);
            caller.requireOpen();
            try {
                pauses.millis(LOCK_POLL_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new StoreException("the transfer was interrupted", "submit again", interrupted);
            }
        }
    }

    private void requireTime(long deadline, @Nullable Exception cause) throws StoreException {
        if (ticker.nanos() - deadline > 0) {
            String what = "another process was fetching it for too long";
            String advice = "submit again, or raise hearth.jars.httpTimeout";
            throw cause == null ? new StoreException(what, advice) : new StoreException(what, advice, cause);
        }
    }
}
