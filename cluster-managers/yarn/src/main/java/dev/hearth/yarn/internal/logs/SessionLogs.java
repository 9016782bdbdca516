package dev.hearth.yarn.internal.logs;

import dev.hearth.yarn.internal.cluster.ContainerLogs;
import dev.hearth.yarn.internal.cluster.YarnSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Logs of a cluster, for each question to which a session is opened. Nodes are asked without one, so that a log that is followed
 * needs none. Used by one thread at a time.
 */
final class SessionLogs implements ContainerLogs {
    private final Opener opener;
    private Optional<ContainerLogs> latest = Optional.empty(); // of a session that is closed; nodes can still be asked

    /** Opens a session. */
    interface Opener {
        YarnSession open() throws IOException;
    }

    /** Question in a session. */
    private interface Question<T> {
        T ask(ContainerLogs logs) throws IOException;
    }

    SessionLogs(Opener opener) {
        this.opener = opener;
    }

    private <T> T ask(Question<T> question) throws IOException {
        try (YarnSession session = opener.open()) {
            ContainerLogs logs = session.logs();
            latest = Optional.of(logs);
            return question.ask(logs);
        }
    }

    @Override
    public Optional<LoggedApplication> application(String id) throws IOException {
        return ask(logs -> logs.application(id));
    }

    @Override
    public List<Place> living(String application, int attempt) throws IOException {
        return ask(logs -> logs.living(application, attempt));
    }

    @Override
    public Optional<Place> master(String application, int attempt) throws IOException {
        return ask(logs -> logs.master(application, attempt));
    }

    @Override
    public Optional<NodePart> onNode(Place place, String log, long tail, long from, int max) {
        return latest.orElseThrow(() -> new IllegalStateException(place + ": found without a session"))
                .onNode(place, log, tail, from, max);
    }

    @Override
    public Map<String, Set<String>> collected(String application, String user) throws IOException {
        return ask(logs -> logs.collected(application, user));
    }

    @Override
    public void copy(String application, String user, String container, String log, Path target) throws IOException {
        ask(logs -> {
            logs.copy(application, user, container, log, target);
            return target;
        });
    }

    @Override
    public String user() {
        return latest.orElseThrow(() -> new IllegalStateException("user: asked for without a session"))
                .user();
    }
}
