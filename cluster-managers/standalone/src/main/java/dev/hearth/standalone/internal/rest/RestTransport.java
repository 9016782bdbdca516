package dev.hearth.standalone.internal.rest;

import dev.hearth.spi.net.RpcAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Sends requests of the REST protocol. Any thread may call; results complete on any thread. */
interface RestTransport {
    /** Sends a request without a body, or with {@code body} as JSON. The stage never fails. */
    CompletionStage<Reply> send(RpcAddress master, String path, Optional<String> body);

    /** Outcome of a request. */
    enum Fate {
        /** The server answered by a message of the protocol. */
        ANSWERED,
        /** The server refused the request, because it wants another token. */
        UNAUTHORIZED,
        /** The server answered, but speaks another protocol. */
        FOREIGN,
        /** The request was not sent. */
        UNREACHABLE,
        /** The request was sent, and its answer was lost. */
        LOST
    }

    /** Fate of a request, with the answer if there is one, and otherwise with a reason. */
    record Reply(Fate fate, Optional<RestAnswer> answer, String reason) {
        private static final Set<Integer> UNAUTHORIZED = Set.of(401, 403);

        static Reply of(int httpStatus, String body) {
            if (UNAUTHORIZED.contains(httpStatus)) {
                return failed(Fate.UNAUTHORIZED, "answers with HTTP status " + httpStatus);
            }
            return RestAnswer.read(body)
                    .map(answer -> new Reply(Fate.ANSWERED, Optional.of(answer), ""))
                    .orElseGet(() -> failed(
                            Fate.FOREIGN,
                            "answers with HTTP status " + httpStatus + " and no message of" + " the REST protocol"));
        }

        static Reply failed(Fate fate, String reason) {
            return new Reply(fate, Optional.empty(), reason);
        }
    }
}
