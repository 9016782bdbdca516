package dev.hearth.kubernetes.internal.client;

import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.PodDetails.ContainerDetails;
import java.io.IOException;
import java.util.OptionalInt;

/** Reader of the status of one container from tokens of JSON. Used once, by one thread. */
final class ContainerReader {
    private final ObjectReader.FieldReader in;
    private final boolean init;
    private String name = "";
    private String image = "";
    private int restarts;
    private boolean running;
    private String waiting = "";
    private String waitingMessage = "";
    private boolean hasEnded;
    private String ended = "";
    private String endedMessage = "";
    private int exitCode;
    private String started = "";
    private String finished = "";
    private OptionalInt lastExit = OptionalInt.empty();

    private ContainerReader(ObjectReader.FieldReader in, boolean init) {
        this.in = in;
        this.init = init;
    }

    static ContainerReader read(ObjectReader.FieldReader in, boolean init) throws IOException {
        ContainerReader reader = new ContainerReader(in, init);
        in.fields(reader::field);
        return reader;
    }

    boolean isInit() {
        return init;
    }

    ContainerFacts facts() {
        return new ContainerFacts(
                name,
                init,
                running,
                waiting,
                ended,
                hasEnded ? OptionalInt.of(exitCode) : OptionalInt.empty(),
                hasEnded ? endedMessage : waitingMessage);
    }

    ContainerDetails details() {
        return new ContainerDetails(facts(), image, started, finished, restarts, lastExit);
    }

    private void field(String field) throws IOException {
        switch (field) {
            case "name" -> name = in.word("container");
            case "image" -> image = in.word(field);
            case "restartCount" -> restarts = in.number();
            case "state" -> in.fields(this::state);
            case "lastState" -> in.fields(this::lastState);
            default -> in.skip();
        }
    }

    private void state(String field) throws IOException {
        switch (field) {
            case "running" -> {
                running = in.isObject();
                in.fields(this::run);
            }
            case "waiting" -> in.fields(this::wait);
            case "terminated" -> {
                hasEnded = in.isObject();
                in.fields(this::end);
            }
            default -> in.skip();
        }
    }

    private void run(String field) throws IOException {
        if (field.equals("startedAt")) {
            started = in.word(field);
        } else {
            in.skip();
        }
    }

    private void wait(String field) throws IOException {
        switch (field) {
            case "reason" -> waiting = in.word("waiting");
            case "message" -> waitingMessage = in.message();
            default -> in.skip();
        }
    }

    private void end(String field) throws IOException {
        switch (field) {
            case "exitCode" -> exitCode = in.number();
            case "reason" -> ended = in.word("ended");
            case "message" -> endedMessage = in.message();
            case "startedAt" -> started = in.word(field);
            case "finishedAt" -> finished = in.word(field);
            default -> in.skip();
        }
    }

    private void lastState(String field) throws IOException {
        if (field.equals("terminated") && in.isObject()) {
            lastExit = OptionalInt.of(0);
            in.fields(inner -> {
                if (inner.equals("exitCode")) {
                    lastExit = OptionalInt.of(in.number());
                } else {
                    in.skip();
                }
            });
        } else {
            in.skip();
        }
    }
}
