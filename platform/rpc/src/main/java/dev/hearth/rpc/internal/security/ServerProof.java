package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Secret;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Accepting side of the mutual proof of a shared secret. It proves the secret only to a client that has proved the
 * secret first. An unknown scope is answered like a wrong secret, after the same work. A state machine for one
 * connection, owned by {@link ProofHandler}.
 */
final class ServerProof implements ProofSide {
    private final ProofTerms terms;
    private final Secret secret;
    private final boolean known;
    private final Bytes nonce;
    private State state = State.AWAITING_OPENING;
    private Bytes opening = Bytes.EMPTY;

    /**
     * Creates the accepting side, which proves {@code secret}. If it is empty, as for an unknown scope, {@code unknown}
     * takes its place: a random secret that no other process has, so that the proof fails.
     */
    ServerProof(ProofTerms terms, Optional<Secret> secret, Secret unknown, SecureRandom random) {
        this.terms = terms;
        this.secret = secret.orElse(unknown);
        this.known = secret.isPresent();
        this.nonce = Nonces.next(random);
    }

    @Override
    public Optional<ProofFrame> begin() {
        return Optional.empty();
    }

    @Override
    public Step receive(ProofFrame frame) {
        if (state == State.AWAITING_OPENING && frame.kind() == ProofFrame.Kind.OPENING) {
            opening = frame.content();
            move(State.AWAITING_PROOF);
            return Step.goOn(ProofFrame.of(ProofFrame.Kind.CHALLENGE, nonce));
        }
        if (state == State.AWAITING_PROOF && frame.kind() == ProofFrame.Kind.PROOF) {
            return verify(frame.content());
        }
        return refuse(frame.kind() + " out of order");
    }

    @Override
    public Step refuse(String found) {
        return end(
                "the other side did not prove the secret of scope '" + terms.scope() + "' but sent " + found + ""
                        + " (expected: a proof); set hearth.authenticate=true and the secret on the other side",
                "you did not prove the secret of scope '" + terms.scope() + "' (expected: a proof); set"
                        + " hearth.authenticate=true and the secret");
    }

    @Override
    public String incomplete() {
        return "the other side closed the connection before it proved the secret of scope '" + terms.scope()
                + "' (expected: a proof); set hearth.authenticate=true and the secret on the other side";
    }

    private Step verify(Bytes theirs) {
        Bytes wanted = Proof.make(secret, Proof.Role.CONNECTING, terms, opening, nonce);
        // computed even if unused, so that the response time reveals nothing
        Bytes own = Proof.make(secret, Proof.Role.ACCEPTING, terms, opening, nonce);
        // computed before any decision, so that the response time does not depend on the outcome
        boolean same = Proof.same(wanted, theirs);
        if (!same || !known || !terms.tunnel().isPinnable()) {
            return end(
                    "the other side could not prove that it knows the secret of scope '" + terms.scope() + "'" + hint()
                            + " (expected: the secret of this process); compare hearth.authenticate.secret, or its"
                            + " file,"
                            + " on both sides",
                    "you could not prove that you know the secret of scope '" + terms.scope()
                            + "' (expected: the secret of the process to which you connected); compare"
                            + " hearth.authenticate.secret, or"
                            + " its file, on both sides");
        }
        move(State.ENDED);
        return Step.proved(Optional.of(ProofFrame.of(ProofFrame.Kind.ACCEPTED, own)));
    }

    /**
     * Returns a possible reason for the failed proof, for the log of this process; empty if there is none. It is not
     * sent, because the remote process must not learn it.
     */
    private String hint() {
        if (!known) {
            return ", a scope that does not exist in this process";
        }
        return terms.tunnel().isPinnable() ? "" : ", and sent no certificate";
    }

    private Step end(String reason, String sent) {
        if (state != State.ENDED) {
            move(State.ENDED);
        }
        return Step.refused(Optional.of(ProofFrame.refused(sent)), reason);
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("proof for scope " + terms.scope() + ": from " + state + " to " + next
                    + " (expected: opening, proof)");
        }
        state = next;
    }

    private enum State {
        AWAITING_OPENING,
        AWAITING_PROOF,
        ENDED;

        boolean leadsTo(State next) {
            return switch (this) {
                case AWAITING_OPENING -> next == AWAITING_PROOF || next == ENDED;
                case AWAITING_PROOF -> next == ENDED;
                case ENDED -> false;
            };
        }
    }
}
