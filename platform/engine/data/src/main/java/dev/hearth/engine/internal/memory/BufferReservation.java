package dev.hearth.engine.internal.memory;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Memory reserved for the growing buffer of one reader. Buffers up to {@link #QUIET_BYTES} are not counted. Owned by
 * that reader, on its task's thread. Closing it releases everything, after which it can be used again.
 */
public final class BufferReservation implements AutoCloseable {
    /** Buffers larger than this reserve memory. */
    public static final int QUIET_BYTES = 1024 * 1024;

    private final Optional<Supplier<TaskMemory>> memory; // resolved lazily: most readers only read small records
    private final String subject;
    private long held;
    private long next;

    /** {@code subject} names the reader in errors. */
    public BufferReservation(Supplier<TaskMemory> memory, String subject) {
        this(Optional.of(memory), subject);
    }

    private BufferReservation(Optional<Supplier<TaskMemory>> memory, String subject) {
        this.memory = memory;
        this.subject = subject;
    }

    /** Reservation for readers outside a task, which reserves no memory. */
    public static BufferReservation uncounted() {
        return new BufferReservation(Optional.empty(), "");
    }

    /**
     * Reserves memory for a new buffer of {@code bytes}, while the old one is still in use. Fails with
     * {@code MEMORY_EXHAUSTED} when there is no memory for both.
     */
    public void begin(long bytes) {
        if (bytes > QUIET_BYTES && memory.isPresent()) {
            memory.get().get().require(bytes, subject);
            next = bytes;
        }
    }

    /** Ends the replacement: releases the memory of the old buffer. */
    public void end() {
        release(held);
        held = next;
        next = 0;
    }

    private void release(long bytes) {
        if (bytes > 0) {
            memory.ifPresent(account -> account.get().give(bytes));
        }
    }

    @Override
    public void close() {
        release(held + next);
        held = 0;
        next = 0;
    }
}
