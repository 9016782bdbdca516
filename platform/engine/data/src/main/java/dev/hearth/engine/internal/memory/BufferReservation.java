package dev.hearth.engine.internal.memory;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Memory reserved for the growing buffer of one reader of a file. Buffers up to {@link #QUIET_BYTES} are not counted,
 * so that most readers need no reservation. Owned by that reader, on its task's thread. Closing a reservation releases
 * all of its memory; the reservation can be used again afterwards.
 */
public final class BufferReservation implements AutoCloseable {
    /** Size in bytes up to which no memory is reserved for a buffer. */
    public static final int QUIET_BYTES = 1024 * 1024;

    // requested lazily, because most readers only read small records
    private final Optional<Supplier<TaskMemory>> memory;
    private final String subject;
    private long held;
    private long next;

    /** Creates a reservation in the memory of a task. {@code subject} names the reader in errors. */
    public BufferReservation(Supplier<TaskMemory> memory, String subject) {
        this(Optional.of(memory), subject);
    }

    private BufferReservation(Optional<Supplier<TaskMemory>> memory, String subject) {
        this.memory = memory;
        this.subject = subject;
    }

    /** Creates a reservation that reserves no memory, for readers that run outside a task. */
    public static BufferReservation uncounted() {
        return new BufferReservation(Optional.empty(), "");
    }

    /**
     * Reserves memory for a new buffer of {@code bytes}, while the old buffer is still in use. Fails with
     * {@code MEMORY_EXHAUSTED} if there is too little memory for both.
     */
    public void begin(long bytes) {
        if (bytes > QUIET_BYTES && memory.isPresent()) {
            memory.get().get().require(bytes, subject);
            next = bytes;
        }
    }

    /** Releases the memory of the old buffer, once the new buffer has replaced it. */
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
