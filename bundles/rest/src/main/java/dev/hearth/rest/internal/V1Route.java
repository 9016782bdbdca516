package dev.hearth.rest.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Action of a request and the id of its submission, which its path names. The id is empty for actions without one. */
record V1Route(Action action, String id) {
    private static final int METHOD_NOT_ALLOWED = 405;

    /** Actions of the protocol, with the HTTP method of each. */
    enum Action {
        CREATE("create", "POST", false),
        KILL("kill", "POST", true),
        KILL_ALL("killall", "POST", false),
        STATUS("status", "GET", true),
        CLEAR("clear", "POST", false),
        READY("readyz", "GET", false);

        private final String word;
        private final String method;
        private final boolean hasId;

        Action(String word, String method, boolean hasId) {
            this.word = word;
            this.method = method;
            this.hasId = hasId;
        }

        private static Optional<Action> of(String word) {
            return Arrays.stream(values())
                    .filter(action -> action.word.equals(word))
                    .findFirst();
        }
    }

    /** Returns the route of a path such as {@code /v1/submissions/kill/ID}. Further segments are ignored. */
    static V1Route of(String method, String path) throws V1Refusal {
        List<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
        if (parts.isEmpty()) {
            throw new V1Refusal(V1Refusal.BAD_REQUEST, V1Texts.NO_VERSION);
        }
        if (!parts.get(0).equals(V1Texts.VERSION)) {
            throw new V1Refusal(V1Refusal.UNKNOWN_VERSION, V1Texts.unknownVersion(parts.get(0)));
        }
        if (parts.size() == 1 || !parts.get(1).equals("submissions")) {
            throw new V1Refusal(V1Refusal.BAD_REQUEST, V1Texts.NO_PREFIX);
        }
        Action action = Action.of(parts.size() > 2 ? parts.get(2) : "")
                .orElseThrow(() -> new V1Refusal(V1Refusal.BAD_REQUEST, V1Texts.NO_ACTION));
        if (!method.equals(action.method) && !(method.equals("HEAD") && action.method.equals("GET"))) {
            throw new V1Refusal(
                    METHOD_NOT_ALLOWED,
                    "HTTP method " + method + ": not that of /" + action.word + " (expected: " + action.method + ")");
        }
        if (action.hasId && parts.size() < 4) {
            throw new V1Refusal(V1Refusal.BAD_REQUEST, V1Texts.noId(action.word));
        }
        return new V1Route(action, action.hasId ? parts.get(3) : "");
    }

    /** Whether {@code path} is that of {@link Action#READY}, which probes ask without a token. */
    static boolean isReady(String path) {
        try {
            return of("GET", path).action == Action.READY;
        } catch (V1Refusal other) {
            return false;
        }
    }
}
