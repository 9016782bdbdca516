package dev.hearth.standalone.internal.contents;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.ContentStores;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploaded files of a daemon: a content store on a disk with its {@link ContentLedger}. The store is opened at its first
 * use, in the first of a few directories that no other process uses; what an earlier process left there is adopted. All
 * methods wait for disks, so event loops must not call. Guarded by its own lock.
 */
public final class HeldContents implements ContentStore {
    /** Prefix of streams by which other processes fetch the files. */
    public static final String STREAMS = "contents";

    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Contents");
    /** Maximum number of processes with the same directory. */
    private static final int PROCESSES_MAX = 32;

    private static final String DIRECTORY = "contents-";

    private final ContentStores stores;
    private final Path parent;
    private final ContentLedger ledger;
    private final Ticker ticker;
    private final Map<ContentId, FileState> checked = new LinkedHashMap<>();
    private @Nullable ContentStore store;
    private boolean closed;

    /** Creates the files below {@code parent}, as {@code ledger} describes them. */
    public HeldContents(ContentStores stores, Path parent, ContentLedger ledger, Ticker ticker) {
        this.stores = stores;
        this.parent = parent;
        this.ledger = ledger;
        this.ticker = ticker;
    }

    /** State of a file whose bytes had the right hash. */
    private record FileState(long bytes, FileTime changed) {
        static FileState of(Path file) throws IOException {
            return new FileState(Files.size(file), Files.getLastModifiedTime(file));
        }
    }

    public ContentLedger ledger() {
        return ledger;
    }

    /** Opens the store if an earlier process has left one, so that its files are known, or removed in time. */
    public void adopt() throws IOException {
        if (Files.isDirectory(parent.resolve(DIRECTORY + 0))) {
            open();
        }
    }

    /** Serves the files under their hashes. */
    public StreamProvider streams() {
        return name -> {
            ContentId content;
            try {
                content = new ContentId(name);
            } catch (IllegalArgumentException other) {
                return Optional.empty();
            }
            Optional<Path> file = find(content);
            return file.isPresent()
                    ? Optional.of(new StreamContent.FilePart(file.get(), 0, Files.size(file.get()), content.sha256()))
                    : Optional.empty();
        };
    }

    @Override
    public Optional<Path> find(ContentId content) {
        try {
            ContentStore open = open();
            if (!ledger.ask(content, ticker.nanos())) {
                return Optional.empty();
            }
            Optional<Path> found = open.find(content);
            if (found.isEmpty()) {
                LOG.warn("content {}: deleted by another program; it is uploaded again when it is needed", content);
                ledger.lost(content);
            }
            return found;
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    /** Finds a file and makes sure that its bytes still have the right hash. A damaged file is removed. */
    public synchronized Optional<Path> findIntact(ContentId content) throws IOException {
        Optional<Path> found = find(content);
        if (found.isEmpty() || FileState.of(found.get()).equals(checked.get(content))) {
            return found;
        }
        FileState state = FileState.of(found.get());
        ContentId actual = ContentId.of(found.get());
        if (actual.equals(content)) {
            checked.put(content, state);
            return found;
        }
        LOG.warn("content {}: its bytes have the hash {}; it is fetched again", content, actual);
        remove(content);
        return Optional.empty();
    }

    @Override
    public Incoming receive(ContentId content, long size) throws IOException {
        ContentStore open;
        synchronized (this) {
            open = open();
            delete(ledger.begin(content, size, ticker.nanos()));
        }
        boolean begun = false;
        try {
            Incoming incoming = open.receive(content, size);
            requireSpace(content, size - incoming.bytesHere(), incoming);
            begun = true;
            return new CountedIncoming(content, size, incoming);
        } finally {
            if (!begun) {
                ledger.ended(content);
            }
        }
    }

    /** Refuses a file that the disk cannot take, before its first byte is sent. */
    private void requireSpace(ContentId content, long missing, Incoming incoming) throws IOException {
        long usable = Files.getFileStore(parent).getUsableSpace();
        if (missing > usable) {
            incoming.close();
            throw ErrorCode.STORE_FULL.failure("content " + content + ": " + missing + " bytes, and the disk of "
                    + parent + " has " + usable
                    + " left (expected: room for it); make room there, or name another directory");
        }
    }

    /** Removes the files and the partial uploads that were not used for the retention time. */
    public synchronized void expire(Instant before) throws IOException {
        if (store != null && !closed) {
            delete(ledger.expire(ticker.nanos()));
            store.removePartial(before);
        }
    }

    @Override
    public List<HeldContent> contents() throws IOException {
        return open().contents();
    }

    @Override
    public ContentId add(Path file) throws IOException {
        ContentId content = ContentId.of(file);
        long size = Files.size(file);
        ContentStore open;
        synchronized (this) {
            open = open();
            delete(ledger.begin(content, size, ticker.nanos()));
        }
        try {
            open.add(file);
            ledger.arrived(content, size, ticker.nanos());
            return content;
        } finally {
            ledger.ended(content);
        }
    }

    @Override
    public synchronized void remove(ContentId content) throws IOException {
        ledger.lost(content);
        delete(List.of(content));
    }

    @Override
    public long bytesLeft(ContentId content) throws IOException {
        return open().bytesLeft(content);
    }

    @Override
    public void removePartial(Instant before) throws IOException {
        open().removePartial(before);
    }

    @Override
    public synchronized long bytesHeld() {
        return store == null ? 0 : store.bytesHeld();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (store != null) {
            store.close();
        }
    }

    private synchronized ContentStore open() throws IOException {
        if (closed) {
            throw ErrorCode.DISK_FAILED.failure(
                    "contents in " + parent + ": closed (expected: open, while the process runs)");
        }
        ContentStore opened = store;
        if (opened == null) {
            opened = firstFree();
            store = opened;
            for (HeldContent known : opened.contents()) {
                ledger.arrived(known.content(), known.bytes(), ticker.nanos());
            }
            LOG.info(
                    "contents in {}: {} files of earlier processes",
                    parent,
                    opened.contents().size());
        }
        return opened;
    }

    private ContentStore firstFree() throws IOException {
        HearthException inUse = ErrorCode.DISK_FAILED.failure("contents in " + parent + ": none free");
        for (int n = 0; n < PROCESSES_MAX; n++) {
            try {
                return stores.open(parent.resolve(DIRECTORY + n), ledger.bytesMax());
            } catch (HearthException failure) {
                if (Failures.code(failure) != ErrorCode.DISK_FAILED) {
                    throw failure;
                }
                inUse = failure;
            }
        }
        throw inUse;
    }

    private void delete(Collection<ContentId> contents) throws IOException {
        for (ContentId content : contents) {
            checked.remove(content);
            if (store != null) {
                store.remove(content);
            }
        }
    }

    /** Records that a file that has just arrived need not be checked at its first use: its hash was. */
    private synchronized void remember(ContentId content) throws IOException {
        Optional<Path> file = store == null ? Optional.empty() : store.find(content);
        if (file.isPresent()) {
            checked.put(content, FileState.of(file.get()));
        }
    }

    private HearthException failed(IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                "contents in " + parent + ": " + failure + " (expected: a directory with space)", failure);
    }

    /** Arrival of a file, which the ledger counts until its end. */
    private final class CountedIncoming implements Incoming {
        private final ContentId content;
        private final long size;
        private final long missing;
        private final Incoming incoming;
        private boolean ended;

        CountedIncoming(ContentId content, long size, Incoming incoming) {
            this.content = content;
            this.size = size;
            this.missing = size - incoming.bytesHere();
            this.incoming = incoming;
        }

        @Override
        public long bytesHere() {
            return incoming.bytesHere();
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            incoming.write(bytes);
        }

        @Override
        public void finish() throws IOException {
            incoming.finish();
            ledger.arrived(content, size, ticker.nanos());
            remember(content);
            LOG.info("content {}: arrived; {} of its {} bytes were sent now", content, missing, size);
            close();
        }

        @Override
        public void close() {
            incoming.close();
            if (!ended) {
                ended = true;
                ledger.ended(content);
            }
        }
    }
}
