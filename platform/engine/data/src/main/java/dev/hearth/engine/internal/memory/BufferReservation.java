package dev.hearth.engine.internal.memory;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the buffer of one reader takes of its task's memory where it is large; a small one is not counted. Owned by that reader, on
 * its task's thread. Closing it gives everything back, and it may be used again.
 */
public final class BufferReservation implements AutoCloseable {
    /** Of larger ones memory is taken. */
    public static final int QUIET_BYTES = 1024 * 1024;

    private final Optional<Supplier<TaskMemory>> memory; // asked for when it is needed: most read small pieces alone
    private final String subject;
    private long held;
    private long next;

    /** {@code subject} names the reader in refusals. */
    public BufferReservation(Supplier<TaskMemory> memory, String subject) {
        this(Optional.of(memory), subject);
    }

    private BufferReservation(Optional<Supplier<TaskMemory>> memory, String subject) {
        this.memory = memory;
        this.subject = subject;
    }

    /** For who reads without a task: counts nothing. */
    public static BufferReservation uncounted() {
        return new BufferReservation(Optional.empty(), "");
    }

    /** Before a buffer of so many bytes is made, while the one there is stays. Refused by name when there is no memory for both. */
    public void begin(long bytes) {
        if (bytes > QUIET_BYTES && memory.isPresent()) {
            memory.get().get().require(bytes, subject);
            next = bytes;
        }
    }

    /** The buffer that was begun, if any, is the only one. */
    public void end() {
        give(held);
        held = next;
        next = 0;
    }

    private void give(long bytes) {
        if (bytes > 0) {
            memory.ifPresent(account -> account.get().give(bytes));
        }
    }

    @Override
    public void close() {
        give(held + next);
        held = 0;
        next = 0;
    }
}
