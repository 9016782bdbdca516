package dev.hearth.api.accumulator;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.TaskRuntime;
import java.io.Serial;
import java.io.Serializable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The handle of an accumulator. Inside a task it adds to the partial result of the task; on the driver it adds to the
 * total and reads it.
 * <p>The driver merges one partial result per partition of a stage, from a successful task, so retries and speculation
 * do not count twice. Functions may capture the handle. Thread-safe.
 */
public sealed class Accumulator<T, R> implements Serializable permits LongAccumulator, DoubleAccumulator {
    private static final long serialVersionUID = 1L;

    private final long id;
    private final String name;
    private final Accumulation<T, R> empty;

    private transient @Nullable Accumulation<T, R> whole; // guarded by this; null in a handle inside a task

    /** Constructor for engines; applications call {@link dev.hearth.api.HearthContext#accumulator}. */
    public Accumulator(long id, String name, Accumulation<T, R> empty) {
        this(id, name, empty.fresh(), empty.fresh());
    }

    Accumulator(long id, String name, Accumulation<T, R> empty, @Nullable Accumulation<T, R> whole) {
        this.id = id;
        this.name = name;
        this.empty = empty;
        this.whole = whole;
    }

    /**
     * For engines: creates the handle of a new accumulator; a {@link LongAccumulator} for a {@link LongSum}, a
     * {@link DoubleAccumulator} for a {@link DoubleSum}.
     */
    public static <T, R> Accumulator<T, R> of(long id, String name, Accumulation<T, R> kind) {
        return handle(id, name, kind.fresh(), kind.fresh());
    }

    @SuppressWarnings("unchecked") // for a LongSum, T and R are Long
    private static <T, R> Accumulator<T, R> handle(
            long id, String name, Accumulation<T, R> empty, @Nullable Accumulation<T, R> whole) {
        if (empty instanceof LongSum longs) {
            return (Accumulator<T, R>) new LongAccumulator(id, name, longs, (LongSum) whole);
        }
        if (empty instanceof DoubleSum doubles) {
            return (Accumulator<T, R>) new DoubleAccumulator(id, name, doubles, (DoubleSum) whole);
        }
        return new Accumulator<>(id, name, empty, whole);
    }

    /**
     * The id of this accumulator, unique in its application.
     * <pre>{@code long id = context.longAccumulator("lines").id();}</pre>
     */
    public long id() {
        return id;
    }

    /**
     * The name that web pages and events show; if it is empty, they do not show the accumulator.
     * <pre>{@code String name = context.longAccumulator("lines").name();}</pre>
     */
    public String name() {
        return name;
    }

    /**
     * Adds an element, in a task or on the driver.
     * <pre>{@code Accumulator<Long, Long> blank = context.longAccumulator("blank lines");
     * lines.foreach(line -> blank.add(line.isBlank() ? 1L : 0L));}</pre>
     */
    public void add(T element) {
        TaskRuntime task = TaskRuntime.current();
        if (task != null) {
            task.accumulation(id, empty::fresh).add(element);
        } else {
            synchronized (this) {
                whole().add(element);
            }
        }
    }

    /**
     * The total so far; call it on the driver.
     * <pre>{@code Accumulator<Long, Long> seen = context.longAccumulator("seen");
     * lines.foreach(line -> seen.add(1L));
     * System.out.println(seen.value());}</pre>
     */
    public R value() {
        return read(Accumulation::value);
    }

    /**
     * Whether nothing has been added so far; call it on the driver.
     * <pre>{@code boolean allFilled = context.longAccumulator("blank lines").isZero();}</pre>
     */
    public boolean isZero() {
        return read(Accumulation::isEmpty);
    }

    /**
     * Resets the total. Call it on the driver while no job runs, because the partial results of running tasks are
     * merged later.
     * <pre>{@code Accumulator<String, List<String>> bad = context.collectingAccumulator("bad lines");
     * lines.filter(String::isBlank).foreach(bad::add);
     * bad.reset();}</pre>
     */
    public void reset() {
        synchronized (this) {
            whole(); // throws inside tasks
            whole = empty.fresh();
        }
    }

    /** Reads the total on the driver. */
    final <X> X read(Function<? super Accumulation<T, R>, ? extends X> reading) {
        synchronized (this) {
            return reading.apply(whole());
        }
    }

    /** Merges {@code part}, the partial result of a successful task, into the total on the driver. For engines only. */
    public void merge(Accumulation<T, R> part) {
        synchronized (this) {
            whole().merge(part);
        }
    }

    private Accumulation<T, R> whole() {
        if (whole == null || TaskRuntime.current() != null) {
            throw new HearthException(
                    "WRONG_THREAD",
                    "accumulator " + (name.isEmpty() ? id : name)
                            + ": read inside a task (expected: on the driver, when the job has ended)");
        }
        return whole;
    }

    @Serial
    final Object readResolve() {
        return handle(id, name, empty, null);
    }

    @Override
    public String toString() {
        synchronized (this) {
            return whole == null ? "accumulator " + id : String.valueOf(value());
        }
    }
}
