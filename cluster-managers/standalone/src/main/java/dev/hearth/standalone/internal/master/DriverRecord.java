package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Submitted driver, from its submission until the master removes its record. Owned by {@link Master}; only {@link
 * #move} changes its state.
 */
final class DriverRecord {
    private final SubmissionId id;
    private final String request;
    private final DriverSpec spec;
    private final OptionalLong submittedMillis;
    private final Map<Long, String> watchers = new LinkedHashMap<>(); // endpoints that watch this driver, by peer id
    private DriverState state = DriverState.SUBMITTED;
    private @Nullable WorkerRecord worker;
    private boolean killed;
    private boolean applicationKilled;
    private boolean waitAnnounced;
    private String placedOn = "";
    private String placedAt = "";
    private String message = "";
    private OptionalInt exitStatus = OptionalInt.empty();
    private String output = "";
    private String errors = "";
    private int attempt; // number of starts
    private Map<String, String> links = Map.of(); // addresses of the output files of the last attempt
    private OptionalLong startedMillis = OptionalLong.empty();
    private OptionalLong endedMillis = OptionalLong.empty();

    /** Creates the record of a driver that was submitted at {@code wallMillis}, a time in milliseconds since 1970. */
    DriverRecord(SubmissionId id, String request, DriverSpec spec, long wallMillis) {
        this.submittedMillis = OptionalLong.of(wallMillis);
        this.id = id;
        this.request = request;
        this.spec = spec;
    }

    SubmissionId id() {
        return id;
    }

    String request() {
        return request;
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

    /**
     * Sets the message that explains why the driver still waits for a worker. Returns true at the first call for this
     * driver, so that its watchers are notified only once.
     */
    boolean waitFor(String what) {
        boolean first = !waitAnnounced;
        waitAnnounced = true;
        message = what;
        return first;
    }

    /** Records that a worker starts the driver at {@code wallMillis}; it may use {@code addresses} there. */
    void place(WorkerRecord chosen, List<ResourceInformation> addresses, long wallMillis) {
        String has = addresses.stream()
                .map(resource -> resource.name() + " " + resource.addresses())
                .collect(Collectors.joining(", "));
        move(DriverState.RUNNING, has.isEmpty() ? "" : "may use " + has);
        attempt++;
        links = ChildSpec.logLinks(chosen.host(), chosen.directory(id));
        startedMillis = OptionalLong.of(wallMillis);
        worker = chosen;
        placedOn = chosen.id();
        placedAt = chosen.address();
    }

    void end(DriverState how, String why, OptionalInt status, String lastOutput, String lastErrors, long wallMillis) {
        move(how, why);
        endedMillis = OptionalLong.of(wallMillis);
        worker = null;
        exitStatus = status;
        output = lastOutput;
        errors = lastErrors;
    }

    DriverStatus status() {
        return new DriverStatus(
                id,
                state,
                placedOn,
                placedAt,
                message,
                exitStatus,
                output,
                errors,
                attempt,
                links,
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
    }
}
