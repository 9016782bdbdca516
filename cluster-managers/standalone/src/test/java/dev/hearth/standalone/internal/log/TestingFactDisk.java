package dev.hearth.standalone.internal.log;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Directory in memory. It may be full, an fsync may fail and drop what it should have kept, and a crash leaves what was
 * forced, with any part of what was not. Guarded by its own lock.
 */
final class TestingFactDisk implements FactDisk {
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final Map<String, byte[]> forced = new LinkedHashMap<>();
    private long bytesMax = Long.MAX_VALUE;
    private Predicate<String> failingForce = name -> false;
    private int attempts; // to write

    /** Leaves room for {@code bytes} in all files together. */
    synchronized void limit(long bytes) {
        bytesMax = bytes;
        notifyAll();
    }

    synchronized void failForceOf(Predicate<String> names) {
        failingForce = names;
    }

    synchronized long used() {
        return files.values().stream().mapToLong(file -> file.length).sum();
    }

    synchronized byte[] content(String name) {
        return files.getOrDefault(name, new byte[0]).clone();
    }

    synchronized void put(String name, byte[] content) {
        files.put(name, content.clone());
        forced.put(name, content.clone());
    }

    /** A disk with the files that surely survive a crash now. */
    synchronized TestingFactDisk crashed() {
        TestingFactDisk after = new TestingFactDisk();
        forced.forEach(after::put);
        return after;
    }

    /** A disk with the same files. */
    synchronized TestingFactDisk copy() {
        TestingFactDisk after = new TestingFactDisk();
        files.forEach(after::put);
        return after;
    }

    /** Waits until a write was tried {@code times} times since the last call. */
    synchronized void awaitAttempts(int times) throws InterruptedException {
        attempts = 0;
        while (attempts < times) {
            wait();
        }
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public synchronized List<String> names() {
        return List.copyOf(files.keySet());
    }

    @Override
    public synchronized InputStream read(String name) throws IOException {
        if (!files.containsKey(name)) {
            throw new FileNotFoundException(name);
        }
        return new ByteArrayInputStream(content(name));
    }

    @Override
    public synchronized Appender create(String name) {
        files.put(name, new byte[0]);
        return new Memory(name);
    }

    @Override
    public synchronized Appender open(String name, long size) throws IOException {
        Memory file = new Memory(name);
        file.truncate(size);
        return file;
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        byte[] content = files.remove(from);
        if (content == null) {
            throw new FileNotFoundException(from);
        }
        files.put(to, content);
        byte[] kept = forced.remove(from);
        forced.put(to, kept == null ? new byte[0] : kept);
    }

    @Override
    public synchronized void delete(String name) {
        files.remove(name);
        forced.remove(name);
    }

    @Override
    public void force() throws IOException {
        force("");
    }

    private synchronized void force(String name) throws IOException {
        if (failingForce.test(name)) {
            throw new IOException("Input/output error");
        }
        if (files.containsKey(name)) {
            forced.put(name, content(name));
        }
    }

    @Override
    public Optional<Closeable> lock(String owner) {
        return Optional.of(() -> {});
    }

    @Override
    public String owner() {
        return "";
    }

    private synchronized void append(String name, byte[] bytes) throws IOException {
        attempts++;
        notifyAll();
        long room = Math.max(0, bytesMax - used());
        ByteArrayOutputStream grown = new ByteArrayOutputStream();
        grown.writeBytes(content(name));
        grown.write(bytes, 0, (int) Math.min(room, bytes.length));
        files.put(name, grown.toByteArray());
        if (bytes.length > room) {
            throw new IOException("No space left on device");
        }
    }

    private final class Memory implements Appender {
        private final String name;

        Memory(String name) {
            this.name = name;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            byte[] content = new byte[bytes.remaining()];
            bytes.get(content);
            append(name, content);
        }

        @Override
        public void force() throws IOException {
            TestingFactDisk.this.force(name);
        }

        @Override
        public void truncate(long size) {
            synchronized (TestingFactDisk.this) {
                files.put(name, Arrays.copyOf(content(name), (int) size));
            }
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
