package dev.hearth.standalone.internal.rest;

import dev.hearth.spi.net.RpcAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Masters whose answers a test scripts by host and action; the last answer of a script is repeated. Records requests. */
final class ScriptedMasters implements RestTransport {
    /** Spark 4.2's answer to a question about a driver that it does not know. */
    static final String UNKNOWN = """
            {
              "action" : "SubmissionStatusResponse",
              "serverSparkVersion" : "4.2.0",
              "submissionId" : "driver-0",
              "success" : false
            }""";

    private final Map<String, Deque<Reply>> scripts = new LinkedHashMap<>();
    private final List<String> requests = new ArrayList<>();

    /** Answers {@code action} of {@code host}, such as {@code create}, with {@code body} next. */
    ScriptedMasters answer(String host, String action, String body) {
        return reply(host, action, Reply.of(200, body));
    }

    ScriptedMasters fail(String host, String action, Fate fate) {
        return reply(host, action, Reply.failed(fate, "scripted"));
    }

    private ScriptedMasters reply(String host, String action, Reply reply) {
        scripts.computeIfAbsent(host + " " + action, key -> new ArrayDeque<>()).add(reply);
        return this;
    }

    List<String> requests() {
        return requests;
    }

    @Override
    public CompletionStage<Reply> send(RpcAddress master, String path, Optional<String> body) {
        requests.add(master.host() + " " + (body.isPresent() ? "POST " : "GET ") + path);
        String action = path.split("/", -1)[3];
        Deque<Reply> script = scripts.getOrDefault(
                master.host() + " " + (path.endsWith("/driver-0") ? "probe" : action), new ArrayDeque<>());
        if (script.isEmpty()) {
            return CompletableFuture.completedStage(
                    path.endsWith("/driver-0")
                            ? Reply.of(200, UNKNOWN)
                            : Reply.failed(Fate.UNREACHABLE, "connection refused"));
        }
        return CompletableFuture.completedStage(script.size() > 1 ? script.remove() : script.element());
    }
}
