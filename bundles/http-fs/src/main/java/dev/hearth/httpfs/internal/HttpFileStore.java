package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Files of HTTP servers, for one application. A file is fetched whole when it is first looked at, and does not change for
 * this application afterwards. Nothing can be listed or written. Thread-safe; {@link #close} fails running transfers.
 */
final class HttpFileStore implements FileStore, HttpCache.Caller {
    private final HttpCache cache;
    private final HttpFsSettings settings;
    private final Map<FileName, CachedCopy> fetched = new LinkedHashMap<>(); // guarded by this
    private final Set<HttpDownload> running = new LinkedHashSet<>(); // guarded by this
    private boolean closed; // guarded by this

    HttpFileStore(HttpCache cache, HttpFsSettings settings) {
        this.cache = cache;
        this.settings = settings;
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of();
    }

    @Override
    public Optional<FileEntry> look(FileName file) throws IOException {
        return copy(file).map(copy -> FileEntry.file(file, copy.length(), copy.changedMillis(), 0));
    }

    @Override
    public StoreInput read(FileName file, long from) throws IOException {
        CachedCopy copy = copy(file).orElseThrow(() -> new NoSuchFileException(file.name()));
        return new CachedFileInput(copy.file(), from);
    }

    /** The copy for this application, which is fetched if there is none. Two threads may fetch one file in turn. */
    private Optional<CachedCopy> copy(FileName file) throws IOException {
        Optional<CachedCopy> known = known(file);
        if (known.isPresent() && known.get().isWhole()) {
            return known;
        }
        Optional<CachedCopy> copy = fetch(HttpAddress.parse(file));
        synchronized (this) {
            copy.ifPresent(found -> fetched.put(file, found));
        }
        return copy;
    }

    private synchronized Optional<CachedCopy> known(FileName file) {
        return Optional.ofNullable(fetched.get(file));
    }

    private Optional<CachedCopy> fetch(HttpAddress address) throws IOException {
        return cache.fetch(address, settings, this);
    }

    @Override
    public synchronized void began(HttpDownload download) {
        running.add(download);
        if (closed) {
            download.close();
        }
    }

    @Override
    public synchronized void ended(HttpDownload download) {
        running.remove(download);
    }

    @Override
    public synchronized void requireOpen() throws StoreException {
        if (closed) {
            throw new StoreException("the transfer was stopped", "submit again");
        }
    }

    @Override
    public Iterator<FileEntry> list(FileName directory) throws IOException {
        throw new StoreException("HTTP has no directories", "name each file, without a pattern");
    }

    @Override
    public StoreOutput create(FileName file, boolean replace) throws IOException {
        throw readOnly();
    }

    @Override
    public void directory(FileName name, boolean mustBeNew) throws IOException {
        throw readOnly();
    }

    @Override
    public boolean rename(FileName from, FileName to, boolean replace) throws IOException {
        throw readOnly();
    }

    @Override
    public void remove(FileName name, boolean tree) throws IOException {
        throw readOnly();
    }

    private static StoreException readOnly() {
        return new StoreException("files of HTTP servers are only read", "write to another store, such as file:");
    }

    @Override
    public synchronized void close() {
        closed = true;
        running.forEach(HttpDownload::close);
    }
}
