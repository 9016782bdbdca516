package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.resource.AddressPool;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.spi.id.ExecutorId;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One executor and its attempts, oldest first. The scheduler assumes that it runs as many attempts as it has slots and
 * queues the others. Owned by {@link ExecutorSet}, from its registration until it is lost.
 */
final class Executor {
    private final ExecutorId id;
    private final int number;
    private final String host;
    private final int cores;
    private final ExecutorGroup group;
    private final Map<String, ResourceInformation> resources;
    private final int slots; // attempts with the needs of the group's profile that run at the same time
    private final @Nullable AddressPool addresses; // null without resources
    private @Nullable Attempt oldest;
    private @Nullable Attempt youngest;
    private @Nullable Attempt waiting; // the oldest queued attempt
    private final Consumer<Attempt> beginning;
    private int held;
    private int begun;
    private int heldCores; // cores of the attempts that the executor runs or queues
    private int begunCores;
    private long progressNanos;

    boolean suspended; // its connection is lost
    boolean decommissioning;
    boolean excluded; // gets no tasks of the application
    boolean lost;
    boolean inRing;
    boolean changed;
    boolean listedAsQueueing;

    @Nullable
    LaunchBatch batch; // launches of the current call of `settle`

    @Nullable
    TaskSet batchSet;

    /**
     * Creates an executor without attempts. Calls {@code beginning} with each attempt that begins on one of the
     * executor's slots.
     */
    Executor(
            ExecutorId id,
            int number,
            String host,
            int cores,
            ExecutorGroup group,
            Map<String, ResourceInformation> resources,
            long now,
            Consumer<Attempt> beginning) {
        this.progressNanos = now;
        this.beginning = beginning;
        this.id = id;
        this.number = number;
        this.host = host;
        this.cores = cores;
        this.group = group;
        this.resources = resources;
        this.slots = slots(group.needs());
        this.addresses = resources.isEmpty() ? null : new AddressPool(resources);
    }

    ExecutorId id() {
        return id;
    }

    /**
     * Number of this executor, unique among all executors that the scheduler has had. Bit sets of executors use it as
     * the index.
     */
    int number() {
        return number;
    }

    String host() {
        return host;
    }

    int cores() {
        return cores;
    }

    ExecutorGroup group() {
        return group;
    }

    /** Number of attempts with the needs of its profile that this executor runs at the same time. */
    int slots() {
        return slots;
    }

    /** Number of tasks with these needs that this executor runs at the same time. */
    int slots(TaskNeeds needs) {
        return needs.slotsOf(cores, resources);
    }

    boolean isUsable() {
        return !suspended && !decommissioning && !excluded && !lost;
    }

    int held() {
        return held;
    }

    int freeSlots() {
        return group.isMixed() ? room(group.least()) : Math.max(0, slots - held);
    }

    /** Number of further tasks of {@code set} that the executor has room for. */
    int freeSlots(TaskSet set) {
        return group.isMixed() ? room(set.needs()) : freeSlots();
    }

    /** Number of attempts that the executor has beyond its slots and that therefore wait for a slot. */
    int queued() {
        return Math.max(0, group.isMixed() ? held - begun : held - slots);
    }

    /** Whether an executor with a free slot has room for a task of {@code set}. */
    boolean fits(TaskSet set) {
        return !group.isMixed() || room(set.needs()) > 0;
    }

    /** Whether all attempts that the executor has need as many cores as those of {@code set}. */
    boolean holdsOnlyLike(TaskSet set) {
        return heldCores == held * set.needs().cpus();
    }

    private int room(TaskNeeds needs) {
        int byCores = Math.max(0, cores - heldCores) / needs.cpus();
        if (needs.amounts().isEmpty() || byCores == 0) {
            return byCores;
        }
        return addresses == null ? 0 : Math.min(byCores, addresses.room(needs));
    }

    @Nullable
    Attempt oldest() {
        return oldest;
    }

    @Nullable
    Attempt youngest() {
        return youngest;
    }

    /**
     * The time at which an attempt last began or ended on this executor. Before the first attempt, it is the time at
     * which the executor registered.
     */
    long progressNanos() {
        return progressNanos;
    }

    void add(Attempt attempt, long now) {
        attempt.previous = youngest;
        if (youngest == null) {
            oldest = attempt;
        } else {
            youngest.next = attempt;
        }
        youngest = attempt;
        TaskNeeds needs = attempt.set.needs();
        if (addresses != null && !needs.amounts().isEmpty()) {
            attempt.lease = addresses.take(needs);
        }
        held++;
        heldCores += needs.cpus();
        if (waiting == null) {
            waiting = attempt;
        }
        beginNext(now);
    }

    void remove(Attempt attempt, long now) {
        if (attempt == waiting) {
            waiting = attempt.next;
        }
        if (attempt.previous == null) {
            oldest = attempt.next;
        } else {
            attempt.previous.next = attempt.next;
        }
        if (attempt.next == null) {
            youngest = attempt.previous;
        } else {
            attempt.next.previous = attempt.previous;
        }
        held--;
        heldCores -= attempt.set.needs().cpus();
        if (addresses != null && attempt.lease != null) {
            addresses.giveBack(attempt.lease);
        }
        if (attempt.begun) {
            begun--;
            begunCores -= attempt.set.needs().cpus();
            attempt.set.pool().addBegun(-1);
        }
        progressNanos = now;
        beginNext(now);
    }

    /**
     * Handles the report that an attempt has begun. The executor may begin attempts in an order other than that in
     * which they were queued.
     */
    void began(Attempt attempt, long now) {
        if (!attempt.begun) {
            begin(attempt, now);
            beginNext(now);
        }
    }

    private void beginNext(long now) {
        while (waiting != null && !lost && (waiting.begun || mayBegin(waiting))) {
            if (!waiting.begun) {
                begin(waiting, now);
            }
            waiting = waiting.next;
        }
    }

    private boolean mayBegin(Attempt attempt) {
        return group.isMixed() ? begunCores + attempt.set.needs().cpus() <= cores : begun < slots;
    }

    private void begin(Attempt attempt, long now) {
        attempt.begun = true;
        attempt.begunNanos = now;
        attempt.set.pool().addBegun(1);
        begun++;
        begunCores += attempt.set.needs().cpus();
        progressNanos = now;
        beginning.accept(attempt);
    }
}
