package dev.hearth.testkit.storage;

import dev.hearth.spi.storage.FileBlock;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.StoreContext;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import dev.hearth.testkit.FakeTicker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Stores of files in memory, with the scheme {@code mem}. All stores that one instance opens see the same files. Tests
 * script faults: slow operations in virtual time, reads and writes that fail half-way, listings that show new files
 * late, refused files, and files that vanish between look and read. Thread-safe.
 */
public final class MemoryFileStores implements FileStores {
    /** Scheme of the files. */
    public static final String SCHEME_NAME = "mem";

    private final MemoryStorage storage;
    private final long blockBytes;
    private final Set<StoreTrait> traits = EnumSet.of(
            StoreTrait.ATOMIC_RENAME, StoreTrait.EXCLUSIVE_CREATE, StoreTrait.SHOWS_WRITES, StoreTrait.BLOCK_HOSTS);
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicLong shown = new AtomicLong();
    private final List<String> operations = new CopyOnWriteArrayList<>();
    private volatile Predicate<FileName> refused = file -> false;
    private volatile Predicate<FileName> vanishing = file -> false;
    private volatile long readBytesMax = Long.MAX_VALUE;
    private volatile long writtenBytesMax = Long.MAX_VALUE;
    private volatile int hiddenListings;
    private volatile IntFunction<List<String>> hosts = block -> List.of();
    private volatile Runnable each = () -> {};
    private volatile Optional<FileName> home = Optional.empty();

    /** Makes paths without a scheme relative to {@code directory}. */
    public void home(FileName directory) {
        home = Optional.of(directory);
    }

    @Override
    public Optional<FileName> home(StoreContext context) {
        return home;
    }

    /** Stores whose files have blocks of 1 MiB. */
    public MemoryFileStores() {
        this(1 << 20);
    }

    public MemoryFileStores(long blockBytes) {
        this.blockBytes = blockBytes;
        this.storage = new MemoryStorage(blockBytes);
    }

    /** Takes a guarantee away from the stores. */
    public MemoryFileStores without(StoreTrait trait) {
        traits.remove(trait);
        return this;
    }

    /** Adds a guarantee to the stores. */
    public MemoryFileStores with(StoreTrait trait) {
        traits.add(trait);
        return this;
    }

    /** Lets each operation take {@code duration} of virtual time. */
    public void slow(FakeTicker ticker, Duration duration) {
        each = () -> ticker.advance(duration);
    }

    /** Refuses all operations on files of these names. */
    public void refuse(Predicate<FileName> names) {
        refused = names;
    }

    /** Removes files of these names right after they have been looked at or listed. */
    public void vanish(Predicate<FileName> names) {
        vanishing = names;
    }

    /** Lets each input that is opened from now on fail after {@code bytes} bytes. */
    public void failReadsAfter(long bytes) {
        readBytesMax = bytes;
    }

    /** Lets each output that is opened from now on fail after {@code bytes} bytes. */
    public void failWritesAfter(long bytes) {
        writtenBytesMax = bytes;
    }

    /** Leaves files that are created from now on out of the next {@code listings} listings of their directory. */
    public void hideFromListings(int listings) {
        hiddenListings = listings;
    }

    /** Sets the hosts of each block, by its number in its file. */
    public void hosts(IntFunction<List<String>> byBlock) {
        hosts = byBlock;
    }

    /** Ends all faults. */
    public void heal() {
        refused = file -> false;
        vanishing = file -> false;
        readBytesMax = Long.MAX_VALUE;
        writtenBytesMax = Long.MAX_VALUE;
        hiddenListings = 0;
        each = () -> {};
    }

    /** Number of stores that were opened and not closed. */
    public int openStores() {
        return opened.get() - closed.get();
    }

    /** Number of stores that were opened. */
    public int opened() {
        return opened.get();
    }

    /** Number of calls of {@link StoreOutput#show}. */
    public long shows() {
        return shown.get();
    }

    /** The operations so far, such as {@code look mem:///a}. */
    public List<String> operations() {
        return List.copyOf(operations);
    }

    /** All files and directories. */
    public List<FileName> all() {
        return storage.all();
    }

    /** Writes a file, and creates the directories above it. */
    public void write(String file, byte[] content) throws IOException {
        FileName name = FileName.parse(file);
        storage.directory(name.parent().orElseThrow(), false);
        storage.put(name, content.clone(), true, 0);
    }

    /** Writes a text file, and creates the directories above it. */
    public void write(String file, String content) throws IOException {
        write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    /** The content of a file. */
    public byte[] read(String file) throws IOException {
        return storage.content(FileName.parse(file)).clone();
    }

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME_NAME);
    }

    @Override
    public FileStore open(String scheme, StoreContext context) {
        opened.incrementAndGet();
        return new Store();
    }

    private void begin(String operation, FileName file) throws IOException {
        operations.add(operation + " " + file);
        each.run();
        if (refused.test(file)) {
            throw new AccessDeniedException(file.toString());
        }
    }

    private FileEntry seen(FileEntry entry) throws IOException {
        if (entry.isFile() && vanishing.test(entry.name())) {
            storage.remove(entry.name(), false);
        }
        return entry;
    }

    /** One open store. */
    private final class Store implements FileStore {
        private volatile boolean ended;

        private void begin(String operation, FileName file) throws IOException {
            if (ended) {
                throw new IOException("the store is closed");
            }
            MemoryFileStores.this.begin(operation, file);
        }

        @Override
        public Set<StoreTrait> traits() {
            return Set.copyOf(traits);
        }

        @Override
        public Optional<FileEntry> look(FileName file) throws IOException {
            begin("look", file);
            Optional<FileEntry> found = storage.look(file);
            return found.isPresent() ? Optional.of(seen(found.get())) : found;
        }

        @Override
        public Iterator<FileEntry> list(FileName directory) throws IOException {
            begin("list", directory);
            List<FileEntry> found = storage.list(directory);
            for (FileEntry entry : found) {
                seen(entry);
            }
            return found.iterator();
        }

        @Override
        public StoreInput read(FileName file, long from) throws IOException {
            begin("read", file);
            return new Input(storage.content(file), from, readBytesMax);
        }

        @Override
        public List<FileBlock> blocks(FileName file, long from, long until) throws IOException {
            begin("blocks", file);
            long length = Math.min(until, storage.content(file).length);
            List<FileBlock> blocks = new ArrayList<>();
            for (long block = from / blockBytes; block * blockBytes < length; block++) {
                long end = Math.min(length, (block + 1) * blockBytes);
                blocks.add(new FileBlock(block * blockBytes, end, hosts.apply((int) block), List.of()));
            }
            return blocks;
        }

        @Override
        public StoreOutput create(FileName file, boolean replace) throws IOException {
            begin("create", file);
            storage.put(file, new byte[0], replace, hiddenListings);
            return new Output(file, writtenBytesMax);
        }

        @Override
        public void directory(FileName name, boolean mustBeNew) throws IOException {
            begin("directory", name);
            storage.directory(name, mustBeNew);
        }

        @Override
        public boolean rename(FileName from, FileName to, boolean replace) throws IOException {
            begin("rename", from);
            return storage.rename(from, to, replace);
        }

        @Override
        public void remove(FileName name, boolean tree) throws IOException {
            begin("remove", name);
            storage.remove(name, tree);
        }

        @Override
        public void close() {
            if (!ended) {
                ended = true;
                closed.incrementAndGet();
            }
        }
    }

    private static final class Input extends StoreInput {
        private final byte[] content;
        private final long failsAt;
        private int position;

        Input(byte[] content, long from, long bytesMax) {
            this.content = content;
            this.position = (int) Math.min(from, content.length);
            this.failsAt = bytesMax == Long.MAX_VALUE ? bytesMax : from + bytesMax;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (position >= failsAt) {
                throw new IOException("the connection to the storage was lost");
            }
            if (position >= content.length) {
                return -1;
            }
            int read = (int) Math.min(Math.min(length, content.length - position), failsAt - position);
            System.arraycopy(content, position, bytes, from, read);
            position += read;
            return read;
        }

        @Override
        public int available() {
            return content.length - position;
        }
    }

    private final class Output extends StoreOutput {
        private final FileName file;
        private final long bytesMax;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private boolean ended;

        Output(FileName file, long bytesMax) {
            this.file = file;
            this.bytesMax = bytesMax;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (content.size() + (long) length > bytesMax) {
                throw new IOException("the connection to the storage was lost");
            }
            content.write(Arrays.copyOfRange(bytes, from, from + length));
        }

        @Override
        public void show() {
            shown.incrementAndGet();
            storage.update(file, content.toByteArray());
        }

        @Override
        public void discard() {
            ended = true;
        }

        @Override
        public void close() {
            if (!ended) {
                ended = true;
                storage.update(file, content.toByteArray());
            }
        }
    }
}
