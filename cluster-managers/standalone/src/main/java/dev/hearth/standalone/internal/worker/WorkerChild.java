package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.process.ChildExit;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerSession.DriverReport;
import dev.hearth.standalone.internal.protocol.WorkerSession.ExecutorReport;
import java.util.List;
import java.util.Optional;

/**
 * Driver or executor that a master ordered. A supervised driver that waits for its next start has no process. Owned by
 * {@link Worker}.
 */
final class WorkerChild {
    /** Attempts to fetch the files of a driver while a master answers. */
    static final int FETCHES_MAX = 3;

    private final Optional<LaunchDriver> driver;
    private final Optional<LaunchExecutor> executor;
    private final List<String> logs; // of an executor
    private final Optional<Supervised> supervised;
    private String lastEnd = "";
    private Optional<DriverFiles.Request> files = Optional.empty();
    private boolean fetching; // files of the driver
    private boolean fetchesAgain; // when a master can be reached
    private int fetches;
    private boolean stopping;
    private boolean returns;

    private WorkerChild(
            Optional<LaunchDriver> driver,
            Optional<LaunchExecutor> executor,
            List<String> logs,
            Optional<Supervised> supervised) {
        this.driver = driver;
        this.executor = executor;
        this.logs = logs;
        this.supervised = supervised;
    }

    static WorkerChild driver(LaunchDriver order, long now) {
        Optional<Supervised> supervised = order.driver().supervise()
                ? Optional.of(new Supervised(
                        Math.max(1, order.attempt()),
                        order.restarts(),
                        order.driver().restartsMax(),
                        now))
                : Optional.empty();
        return new WorkerChild(Optional.of(order), Optional.empty(), List.of(), supervised);
    }

    static WorkerChild executor(LaunchExecutor order, List<String> logs) {
        return new WorkerChild(Optional.empty(), Optional.of(order), logs, Optional.empty());
    }

    Optional<LaunchDriver> driver() {
        return driver;
    }

    Optional<LaunchExecutor> executor() {
        return executor;
    }

    Optional<Supervised> supervised() {
        return supervised;
    }

    /** Number of the driver's present start. */
    int attempt() {
        return supervised
                .map(Supervised::attempt)
                .or(() -> driver.map(LaunchDriver::attempt))
                .orElse(1);
    }

    /** How the attempt before the present one has ended, or the present one of a driver that waits. */
    void endedOnce(String how) {
        lastEnd = how;
    }

    boolean isFetching() {
        return fetching;
    }

    /** Files of the driver that this worker has begun to fetch; empty if there are none. */
    Optional<DriverFiles.Request> files() {
        return files;
    }

    void fetches(DriverFiles.Request request) {
        files = Optional.of(request);
        fetching = true;
        fetchesAgain = false;
        fetches++;
    }

    void fetched() {
        fetching = false;
    }

    /** Records that a fetch has failed, and that another one will follow. */
    void fetchAgain() {
        fetching = false;
        fetchesAgain = true;
    }

    boolean fetchesAgain() {
        return fetchesAgain;
    }

    boolean mayFetchAgain() {
        return fetches < FETCHES_MAX;
    }

    /** Whether the end of this child was ordered. */
    boolean isStopping() {
        return stopping;
    }

    void stops() {
        stopping = true;
    }

    /** Whether this driver ends so that the master can start it elsewhere. */
    boolean isReturning() {
        return returns;
    }

    void returns() {
        returns = true;
    }

    /** The message about the end of this child. */
    Record ended(ChildExit end) {
        return driver.<Record>map(order ->
                        new DriverEnded(order.submission(), end.status(), end.why(), end.output(), end.errors()))
                .or(() -> executor.map(order ->
                        new ExecutorEnded(order.application(), order.executor(), end.status(), end.describe(), logs)))
                .orElseThrow();
    }

    Optional<DriverReport> driverReport(boolean ended) {
        return driver.map(order -> new DriverReport(
                order.submission(),
                attempt(),
                supervised.map(Supervised::restarts).orElse(0),
                supervised
                        .filter(each -> each.state() == Supervised.State.BACKING_OFF)
                        .isPresent(),
                lastEnd,
                ended,
                order.resources(),
                order.driver().cores(),
                order.driver().memoryMebibytes()));
    }

    Optional<ExecutorReport> executorReport(boolean ended) {
        return executor.map(order -> new ExecutorReport(
                order.application(),
                order.executor(),
                order.cores(),
                order.memoryMebibytes(),
                order.profile(),
                ended,
                order.resources()));
    }
}
