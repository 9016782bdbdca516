package dev.hearth.yarn.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** File system in memory, with a clock, a quota, and what others do between two calls. */
public final class SimulatedFiles implements StoreFiles {
    private final TreeMap<String, Entry> entries = new TreeMap<>();
    private final Map<String, Integer> calls = new LinkedHashMap<>();
    private long now = 1_000_000;
    private long quota = Long.MAX_VALUE;
    private Optional<Runnable> beforeRename = Optional.empty();

    private record Entry(Bytes content, long changedMillis, boolean directory, int permissions, int replication) {}

    public SimulatedFiles() {
        entries.put("/", new Entry(Bytes.EMPTY, now, true, 0755, 0));
    }

    public void pass(long millis) {
        now += millis;
    }

    public long now() {
        return now;
    }

    public void limit(long bytes) {
        quota = bytes;
    }

    /** Runs {@code action} once, before the next rename. */
    public void beforeRename(Runnable action) {
        beforeRename = Optional.of(action);
    }

    public int calls() {
        return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    public void forgetCalls() {
        calls.clear();
    }

    /** Replicas with which the file was written. */
    public int replication(String path) {
        return Optional.ofNullable(entries.get(path)).map(Entry::replication).orElse(-1);
    }

    /** Paths of all files, without directories. */
    public List<String> paths() {
        return entries.entrySet().stream()
                .filter(entry -> !entry.getValue().directory())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void count(String call) {
        calls.merge(call, 1, Integer::sum);
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    @Override
    public Optional<StoredFile> look(String path) {
        count("look");
        return Optional.ofNullable(entries.get(path)).map(entry -> stored(path, entry));
    }

    private static StoredFile stored(String path, Entry entry) {
        return new StoredFile(
                path.substring(path.lastIndexOf('/') + 1),
                entry.content().size(),
                entry.changedMillis(),
                entry.directory(),
                entry.permissions());
    }

    @Override
    public List<StoredFile> list(String directory) {
        count("list");
        List<StoredFile> found = new ArrayList<>();
        entries.forEach((path, entry) -> {
            if (!path.equals("/") && parent(path).equals(directory)) {
                found.add(stored(path, entry));
            }
        });
        return found;
    }

    @Override
    public void directory(String directory, int permissions) {
        count("directory");
        if (!entries.containsKey(directory)) {
            if (!directory.equals("/")) {
                directory(parent(directory), permissions);
            }
            entries.put(directory, new Entry(Bytes.EMPTY, now, true, permissions, 0));
        }
    }

    @Override
    public void write(String path, int permissions, int replication, Source source) throws IOException {
        count("write");
        if (entries.containsKey(path)) {
            throw new FileAlreadyExistsException(path);
        }
        directory(parent(path), 0700);
        byte[] content;
        try (InputStream in = source.open()) {
            content = in.readAllBytes();
        }
        long used = entries.values().stream()
                .mapToLong(entry -> entry.content().size())
                .sum();
        if (used + content.length > quota) {
            throw new IOException("The DiskSpace quota of " + parent(path) + " is exceeded");
        }
        entries.put(path, new Entry(Bytes.owning(content), now, false, permissions, replication));
    }

    @Override
    public Optional<String> read(String path) {
        count("read");
        return Optional.ofNullable(entries.get(path))
                .map(entry -> new String(entry.content().toArray(), UTF_8));
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        count("rename");
        Optional<Runnable> action = beforeRename;
        beforeRename = Optional.empty();
        action.ifPresent(Runnable::run);
        if (entries.containsKey(to)) {
            return false;
        }
        Entry entry = entries.remove(from);
        if (entry == null) {
            throw new IOException(from + ": no such file");
        }
        entries.put(to, entry);
        return true;
    }

    @Override
    public void remove(String path) {
        count("remove");
        entries.keySet().removeIf(name -> name.equals(path) || name.startsWith(path + "/"));
    }

    @Override
    public String address(String path) {
        return "hdfs://nn:8020" + path;
    }
}
