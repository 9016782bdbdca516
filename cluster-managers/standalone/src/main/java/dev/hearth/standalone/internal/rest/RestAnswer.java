package dev.hearth.standalone.internal.rest;

import dev.hearth.spi.cluster.JsonReader;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.id.SubmissionId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Answer of a server of the REST protocol: its fields, and its text as it was received. */
record RestAnswer(String body, Map<String, Object> fields) {
    /** Field that every message of the protocol has. */
    private static final String ACTION = "action";

    /** Reads an answer; empty if {@code body} is no message of the protocol. */
    static Optional<RestAnswer> read(String body) {
        try {
            RestAnswer answer = new RestAnswer(body, JsonReader.readObject(body));
            return answer.text(ACTION).isEmpty() ? Optional.empty() : Optional.of(answer);
        } catch (IllegalArgumentException foreign) { // an answer of another program
            return Optional.empty();
        }
    }

    String action() {
        return text(ACTION);
    }

    boolean succeeded() {
        return text("success").equals("true");
    }

    /** Text of a field; empty if the answer lacks it. */
    String text(String field) {
        return fields.get(field) instanceof String value ? value : "";
    }

    /** Status of a driver in an answer that knows it. */
    SubmissionStatus status(SubmissionId submission) {
        String worker = text("workerId");
        String address = text("workerHostPort");
        return new SubmissionStatus(
                submission,
                state(),
                worker.isEmpty() ? "" : "worker " + worker + " at " + address,
                text("message"),
                OptionalInt.empty(),
                "",
                "",
                Map.of(),
                1,
                SubmissionTimes.NONE,
                worker,
                address);
    }

    /** State of the driver; states of later versions of the protocol are unknown. */
    private SubmissionState state() {
        String name = text("driverState");
        for (SubmissionState state : SubmissionState.values()) {
            if (state.name().equals(name)) {
                return state;
            }
        }
        return SubmissionState.UNKNOWN;
    }
}
