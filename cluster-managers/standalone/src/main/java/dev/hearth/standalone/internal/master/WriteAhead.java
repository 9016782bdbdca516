package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.FactForm;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Order of facts and actions: an action runs once all facts before it are durable, and after all actions before it. Without
 * a log, it runs at once. While the log cannot be written, an action that starts and acknowledges nothing new runs at once
 * too, so that drivers can be killed. Owned by the loop of the master.
 */
final class WriteAhead {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");

    private final Optional<FactLog> log;
    private final EventLoop loop;
    private final FactForm form = new FactForm();
    private final Deque<Action> waiting = new ArrayDeque<>();
    private long appended;
    private long durable;

    WriteAhead(Optional<FactLog> log, EventLoop loop) {
        this.log = log;
        this.loop = loop;
    }

    /** Action that waits for the append number {@code after}. If it is {@code strict}, it always waits. */
    private record Action(long after, boolean strict, Runnable what) {}

    void append(List<Fact> facts) {
        if (facts.isEmpty()) {
            return;
        }
        log.ifPresent(open -> {
            appended++;
            open.append(facts.stream().map(form::bytes).toList())
                    .whenComplete((done, failure) ->
                            loop.execute(() -> written(failure == null ? "" : Failures.describe(failure))));
        });
    }

    private void written(String failure) {
        if (!failure.isEmpty()) {
            LOG.error("master: facts are not durable, so nothing more is done: {}", failure);
            return;
        }
        durable++;
        runDue();
    }

    /** Runs {@code what} when it may; {@code strict} says that it starts or acknowledges something new. */
    void after(boolean strict, Runnable what) {
        boolean mayOvertake = !strict && hindrance().isPresent();
        if (mayOvertake || (waiting.isEmpty() && durable == appended)) {
            what.run();
        } else {
            waiting.add(new Action(appended, strict, what));
        }
    }

    private void runDue() {
        while (!waiting.isEmpty() && waiting.element().after() <= durable) {
            waiting.remove().what().run();
        }
    }

    /** Why nothing new is to be taken on; empty if nothing hinders. */
    Optional<String> hindrance() {
        return log.flatMap(FactLog::hindrance);
    }

    /** Fails with {@code SUBMISSION_REFUSED} if the log cannot keep a submission, because it is too large. */
    void requireKept(DriverSpec driver) {
        int bytesMax = log.map(FactLog::submissionBytesMax).orElse(Integer.MAX_VALUE);
        long bytes = driver.bytes();
        if (bytes > bytesMax) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("driver " + driver.name() + ": " + bytes
                    + " bytes of settings, arguments and names (expected: at most " + bytesMax
                    + ", which is what the master's hearth.deploy.recoveryMode can keep); pass large values in files");
        }
    }

    /** Whether it is unknown if this process leads. */
    boolean isUncertain() {
        return log.filter(FactLog::isUncertain).isPresent();
    }

    /** Lets actions run that need not wait for a log that cannot be written. */
    void overtake() {
        if (hindrance().isPresent()) {
            List<Action> overtaking =
                    waiting.stream().filter(action -> !action.strict()).toList();
            waiting.removeIf(action -> !action.strict());
            overtaking.forEach(action -> action.what().run());
        }
    }

    /** Makes a snapshot of {@code ledger}, which contains all facts that were appended, if the log wants one. */
    void snapshot(MasterLedger ledger) {
        log.filter(FactLog::wantsSnapshot).ifPresent(open -> {
            List<Fact> facts = ledger.snapshot();
            LOG.debug("snapshot of {} facts", facts.size());
            open.snapshot(() -> facts.stream().map(form::bytes).iterator());
        });
    }
}
