package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.http.HttpRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP gates of the process, in the order in which they decide on requests. Gates may come and go on any thread; the
 * connections read an immutable snapshot.
 */
final class RequestGates {
    private static final Logger LOG = LoggerFactory.getLogger(RequestGates.class);
    private static final Comparator<Gate> ORDER =
            Comparator.comparingInt((Gate gate) -> -gate.ranking()).thenComparingLong(Gate::order);

    private static final String OWN = "of this port";

    private volatile List<Gate> gates = List.of();

    /** Gate with its name, the ranking and id of its service, and the {@code owner} for display. */
    record Gate(String name, HttpGate gate, int ranking, long order, String owner) {}

    synchronized void add(Gate gate) {
        List<Gate> more = new ArrayList<>(gates);
        more.add(gate);
        more.sort(ORDER);
        gates = List.copyOf(more);
    }

    synchronized void remove(long order) {
        gates = gates.stream().filter(gate -> gate.order() != order).toList();
    }

    /** Whether requests need no decision, because there is no gate and none is required. */
    boolean isEmpty(List<String> required) {
        return gates.isEmpty() && required.isEmpty();
    }

    /**
     * Returns the first decision of a gate on {@code request} that is not undecided; {@code own}, the gate of the port, is
     * asked first. Fails if one of the gates {@code required} is missing, or if a gate fails.
     */
    HttpGate.Decision judge(Optional<HttpGate> own, HttpRequest request, List<String> required) throws RequestRefused {
        List<Gate> present = new ArrayList<>();
        own.ifPresent(gate -> present.add(new Gate(OWN, gate, Integer.MAX_VALUE, 0, "the port")));
        present.addAll(gates);
        for (String name : required) {
            if (present.stream().noneMatch(gate -> gate.name().equals(name))) {
                throw HttpError.GATE_MISSING
                        .refused("gate " + name + ": not registered (expected: the gates of hearth.rest.requiredGates);"
                                + " start the bundle that brings it")
                        .with("Retry-After", "1");
            }
        }
        for (Gate gate : present) {
            HttpGate.Decision decision = decide(gate, request);
            if (!(decision instanceof HttpGate.Undecided)) {
                return decision;
            }
        }
        return new HttpGate.Undecided();
    }

    private static HttpGate.Decision decide(Gate gate, HttpRequest request) throws RequestRefused {
        try {
            HttpGate.Decision decision = gate.gate().judge(request);
            if (decision != null) {
                return decision;
            }
            LOG.warn("HTTP gate {}: no decision (expected: one); the request is refused", gate.owner());
        } catch (RuntimeException | LinkageError failure) {
            LOG.warn("HTTP gate {}: failed; the request is refused", gate.owner(), failure);
        }
        throw HttpError.INTERNAL.refused(
                "gate " + gate.name() + ": failed (expected: a decision); the log of the process says why");
    }
}
