package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.OutputLinks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Submitted driver, from its submission until the master removes its record. Owned by {@link Master}; only {@link
 * #move} changes its state.
 */
final class DriverRecord {
    /** Number of addresses of output files on earlier workers, two for each. */
    private static final int EARLIER_LINKS_MAX = 10;

    private static final DriverSpec NOTHING = new DriverSpec("", "", "", List.of(), Map.of(), 1, 1);

    private final SubmissionId id;
    private final long number;
    private DriverSpec spec;
    private final OptionalLong submittedMillis;
    private final Map<Long, String> watchers = new LinkedHashMap<>(); // endpoints that watch this driver, by peer id
    private DriverState state = DriverState.SUBMITTED;
    private @Nullable WorkerRecord worker;
    private @Nullable Supplier<String> waiting; // why; until the driver is placed or has ended
    private boolean killed;
    private boolean applicationKilled;
    private String placedOn = "";
    private String placedAt = "";
    private String placedSession = ""; // of the worker
    private boolean awaited; // on a worker that has not registered yet since the master leads
    private boolean left; // its worker, and does not wait for another one yet
    private String message = "";
    private OptionalInt exitStatus = OptionalInt.empty();
    private String output = "";
    private String errors = "";
    private int attempt; // number of starts
    private int attemptLast; // greatest number that a worker may have used
    private int restarts; // starts after failures
    private int attemptBefore;
    private String lastEnd = ""; // how the attempt before ended
    private Map<String, String> links = Map.of(); // addresses of the output files of the last attempt
    private final Map<String, String> earlierLinks =
            new LinkedHashMap<>(); // on other workers, by name and last attempt
    private OptionalLong startedMillis = OptionalLong.empty();
    private OptionalLong endedMillis = OptionalLong.empty();

    /**
     * Creates the record of a driver that was submitted at {@code wallMillis}, a time in milliseconds since 1970. Drivers
     * that are submitted later have greater numbers.
     */
    DriverRecord(SubmissionId id, long number, DriverSpec spec, long wallMillis) {
        this.submittedMillis = OptionalLong.of(wallMillis);
        this.id = id;
        this.number = number;
        this.spec = spec;
    }

    /** A driver as an earlier master has left it, which has no worker yet. */
    static DriverRecord recover(MasterLedger.Kept kept, long number) {
        DriverRecord driver = new DriverRecord(
                kept.taken().id(), number, kept.taken().spec(), kept.taken().wallMillis());
        Recovery recovery = driver.new Recovery();
        kept.later().forEach(fact -> fact.accept(recovery));
        return driver;
    }

    /** Repeats what facts say about this driver. */
    private final class Recovery implements Fact.Handler {
        @Override
        public void onPlaced(Fact.DriverPlaced fact) {
            attempt = fact.attempt();
            attemptLast = fact.attempt();
            restarts = fact.restarts();
            placedOn = fact.worker();
            placedAt = fact.workerAddress();
            placedSession = fact.session();
            left = false;
            startedMillis = OptionalLong.of(fact.wallMillis());
            RpcAddress.parse(fact.workerAddress())
                    .ifPresent(address -> links =
                            OutputLinks.of(LogSource.ofDriver(id), fact.pages(), address.host(), fact.directory()));
            state = DriverState.RUNNING;
        }

        @Override
        public void onBackedOff(Fact.DriverBackedOff fact) {
            attempt = fact.attempt();
            attemptLast = fact.attempt() + 1;
            attemptBefore = fact.attempt();
            restarts = fact.restarts();
            lastEnd = fact.lastEnd();
            state = DriverState.RELAUNCHING;
        }

        @Override
        public void onLeft(Fact.DriverLeft fact) {
            attempt = fact.attempt();
            attemptLast = fact.attemptLast();
            attemptBefore = fact.attempt();
            restarts = fact.restarts();
            lastEnd = fact.why();
            placedOn = fact.worker();
            left = true;
            state = DriverState.RELAUNCHING;
        }

        @Override
        public void onKillAsked(Fact.DriverKillAsked fact) {
            killed |= !fact.ofApplication();
            applicationKilled |= fact.ofApplication();
        }

        @Override
        public void onClosed(Fact.DriverClosed fact) {
            state = fact.how();
            message = fact.why();
            exitStatus = fact.exitStatus();
            output = fact.output();
            errors = fact.errors();
            endedMillis = OptionalLong.of(fact.wallMillis());
        }

        @Override
        public void onEpoch(Fact.EpochBegun fact) {
            // about no driver
        }

        @Override
        public void onNumbers(Fact.NumbersUsed fact) {
            // about no driver
        }

        @Override
        public void onTaken(Fact.DriverTaken fact) {
            // the record was made of it
        }

        @Override
        public void onForgotten(Fact.DriversForgotten fact) {
            // such a driver has no record
        }

        @Override
        public void onRequestsForgotten(Fact.RequestsForgotten fact) {
            // such a driver has no record
        }

        @Override
        public void onIdsReserved(Fact.ExecutorIdsReserved fact) {
            // about no driver
        }

        @Override
        public void onApplicationsClosed(Fact.ApplicationsClosed fact) {
            // about no driver
        }
    }

    /** The worker that had this driver when it was recovered; empty if none had. */
    String placedOn() {
        return placedOn;
    }

    /** Session of the worker that has this driver, or had it when it was recovered; empty if it is not known. */
    String placedSession() {
        return placedSession;
    }

    /** Whether this driver has left its worker, and does not wait for another one yet. */
    boolean hasLeft() {
        return left;
    }

    /** Whether this driver runs on a worker that has not registered yet since this master leads. */
    boolean isAwaited() {
        return awaited;
    }

    void await() {
        awaited = true;
    }

    /**
     * Records that {@code found} has this driver, in its start number {@code number}, as the master believed, or had ceased
     * to believe. Returns whether that changes what the log says. If the driver {@code waits}, it backs off there.
     */
    boolean adopt(WorkerRecord found, int number, boolean waits) {
        boolean changes = left || number != attempt;
        boolean backsOff = waits && !changes && state == DriverState.RELAUNCHING;
        awaited = false;
        worker = found;
        placedOn = found.id();
        placedAt = found.address();
        placedSession = found.session();
        if (number != attempt) {
            attempt = number;
            attemptLast = Math.max(attemptLast, number);
            move(DriverState.RUNNING, startedAgain());
        } else if (state == DriverState.RELAUNCHING && !backsOff) {
            move(DriverState.RUNNING, "runs on " + found.id() + ", which is back");
        }
        left = false;
        return changes;
    }

    void awaitNoMore() {
        awaited = false;
    }

    /** Greatest start number that a worker may have used. */
    int attemptLast() {
        return attemptLast;
    }

    /** Time in milliseconds since 1970 when this driver ended; empty before. */
    OptionalLong endedMillis() {
        return endedMillis;
    }

    Fact placedFact() {
        WorkerRecord on = Objects.requireNonNull(worker);
        return new Fact.DriverPlaced(
                id,
                attempt,
                restarts,
                on.id(),
                on.address(),
                on.directory(id),
                startedMillis.orElse(0),
                on.session(),
                on.pages());
    }

    Fact backedOffFact() {
        return new Fact.DriverBackedOff(id, attempt, restarts, lastEnd);
    }

    Fact leftFact(String from) {
        return new Fact.DriverLeft(id, attempt, attemptLast, restarts, lastEnd, from);
    }

    Fact closedFact() {
        return new Fact.DriverClosed(id, state, message, exitStatus, output, errors, endedMillis.orElse(0));
    }

    SubmissionId id() {
        return id;
    }

    long number() {
        return number;
    }

    DriverSpec spec() {
        return spec;
    }

    DriverState state() {
        return state;
    }

    Map<Long, String> watchers() {
        return watchers;
    }

    Optional<WorkerRecord> worker() {
        return Optional.ofNullable(worker);
    }

    boolean isKilled() {
        return killed;
    }

    void kill() {
        killed = true;
    }

    /** Whether an application of this driver was killed by its id. */
    boolean isApplicationKilled() {
        return applicationKilled;
    }

    void killApplication() {
        applicationKilled = true;
    }

    /** Records that this driver waits for the reason that {@code why} returns at the time of the call. */
    void waitFor(Supplier<String> why) {
        waiting = why;
    }

    /** Drops all but the result of this driver, which has ended, to save memory. */
    void dropDetails() {
        dropOutput();
        links = Map.of();
        earlierLinks.clear();
        spec = NOTHING;
        lastEnd = "";
    }

    /** Drops what this driver wrote, to save memory. */
    void dropOutput() {
        output = "";
        errors = "";
    }

    /** Records that a worker starts the driver at {@code wallMillis}; it may use {@code addresses} there. */
    void place(WorkerRecord chosen, List<ResourceInformation> addresses, long wallMillis) {
        String has = addresses.stream()
                .map(resource -> resource.name() + " " + resource.addresses())
                .collect(Collectors.joining(", "));
        attemptLast++;
        attempt = attemptLast;
        move(
                DriverState.RUNNING,
                Stream.of(attempt > 1 ? startedAgain() : "", has.isEmpty() ? "" : "may use " + has)
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("; ")));
        Map<String, String> here = chosen.links(id);
        if (!here.equals(links)) {
            links.forEach((name, link) -> earlierLinks.put(name + "-" + attemptBefore, link));
            while (earlierLinks.size() > EARLIER_LINKS_MAX) {
                earlierLinks.remove(earlierLinks.keySet().iterator().next());
            }
        }
        links = here;
        startedMillis = OptionalLong.of(wallMillis);
        worker = chosen;
        placedOn = chosen.id();
        placedAt = chosen.address();
        placedSession = chosen.session();
    }

    /** Number of starts of this driver. */
    int attempt() {
        return attempt;
    }

    /** Whether a process of start number {@code number} may run on the worker of this driver. */
    boolean mayRun(int number) {
        return (worker != null || awaited)
                && (number == attempt ? state == DriverState.RUNNING : number == attemptLast);
    }

    /** Number of starts that followed failures. */
    int restarts() {
        return restarts;
    }

    /** Records that the present attempt has failed, and that its worker will start the driver again after a delay. */
    void backOff(int number, String end, long delayMillis) {
        restarts = number;
        attemptLast = attempt + 1;
        attemptBefore = attempt;
        lastEnd = end;
        move(
                DriverState.RELAUNCHING,
                "attempt " + attempt + " has ended: " + end + "; starts again in "
                        + Duration.ofMillis(delayMillis).toSeconds() + " s");
    }

    /** Records that its worker starts this driver again at {@code wallMillis}, as start number {@code number}. */
    void startedAgain(int number, long wallMillis) {
        attempt = number;
        move(DriverState.RUNNING, startedAgain());
        startedMillis = OptionalLong.of(wallMillis);
    }

    private String startedAgain() {
        return "started again" + (restarts == 0 ? "" : " after " + Quantity.of(restarts, "failure")) + "; attempt "
                + attemptBefore + " has ended: " + lastEnd;
    }

    /**
     * Records that this driver has lost its worker for the reason {@code why}, and is to start elsewhere once its process
     * has surely ended, {@code fence} from now.
     */
    void leaveWorker(String why, Duration fence) {
        lastEnd = why;
        attemptBefore = attempt;
        String text = "attempt " + attempt + " has ended: " + why + "; starts again elsewhere"
                + (fence.isZero() ? "" : ", in " + Math.max(1, fence.toSeconds()) + " s, when it surely runs no more");
        if (state == DriverState.RELAUNCHING) { // there
            message = text;
        } else {
            move(DriverState.RELAUNCHING, text);
        }
        worker = null;
        awaited = false;
        left = true;
        placedOn = "";
        placedAt = "";
    }

    /** Records that this driver waits for a worker again. */
    void waitAgain() {
        left = false;
        move(DriverState.SUBMITTED, message);
    }

    void end(DriverState how, String why, OptionalInt status, String lastOutput, String lastErrors, long wallMillis) {
        move(how, why);
        endedMillis = OptionalLong.of(wallMillis);
        worker = null;
        awaited = false;
        // what only a start needs, such as the settings, would hold most of the memory of a record
        spec = spec.summary();
        exitStatus = status;
        output = lastOutput;
        errors = lastErrors;
    }

    DriverStatus status() {
        Map<String, String> all = new LinkedHashMap<>(links);
        all.putAll(earlierLinks);
        return new DriverStatus(
                id,
                state,
                placedOn,
                placedAt,
                waiting == null ? message : waiting.get(),
                exitStatus,
                output,
                errors,
                attempt,
                all,
                submittedMillis,
                startedMillis,
                endedMillis);
    }

    /**
     * Whether {@code next} may follow the present state. A driver of this cluster runs before it finishes, because the
     * master itself places it.
     */
    private boolean leadsTo(DriverState next) {
        boolean unplaced = state == DriverState.SUBMITTED;
        return !(unplaced && (next == DriverState.FINISHED || next == DriverState.UNKNOWN))
                && state.shown().leadsTo(next.shown());
    }

    private void move(DriverState next, String why) {
        if (!leadsTo(next)) {
            throw new IllegalStateException("driver " + id + ": from " + state + " to " + next);
        }
        state = next;
        message = why;
        waiting = null;
    }
}
