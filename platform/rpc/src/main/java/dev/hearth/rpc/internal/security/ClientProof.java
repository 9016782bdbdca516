package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Secret;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Connecting side of the mutual proof of a shared secret. It proves the secret first, so that a server sends its own
 * proof only to clients that know the secret. It then requires the proof of the server. A state machine for one
 * connection, owned by {@link ProofHandler}.
 */
final class ClientProof implements ProofSide {
    private final ProofTerms terms;
    private final Secret secret;
    private final Bytes nonce;
    private State state = State.OPENING;
    private Bytes challenge = Bytes.EMPTY;

    ClientProof(ProofTerms terms, Secret secret, SecureRandom random) {
        this.terms = terms;
        this.secret = secret;
        this.nonce = Nonces.next(random);
    }

    @Override
    public Optional<ProofFrame> begin() {
        move(State.AWAITING_CHALLENGE);
        return Optional.of(ProofFrame.of(ProofFrame.Kind.OPENING, nonce));
    }

    @Override
    public Step receive(ProofFrame frame) {
        if (frame.kind() == ProofFrame.Kind.REFUSED) {
            return end("the other side refused this process: " + frame.reason());
        }
        if (state == State.AWAITING_CHALLENGE && frame.kind() == ProofFrame.Kind.CHALLENGE) {
            return answer(frame.content());
        }
        if (state == State.AWAITING_PROOF && frame.kind() == ProofFrame.Kind.ACCEPTED) {
            return verify(frame.content());
        }
        return refuse(frame.kind() + " out of order");
    }

    @Override
    public Step refuse(String found) {
        return end("the other side sent " + found + " instead of a proof (expected: a Hearth process with"
                + " authentication); set"
                + " hearth.authenticate=true on both sides");
    }

    @Override
    public String incomplete() {
        return "the other side closed the connection before it proved the secret of scope '" + terms.scope()
                + "' (expected: the same"
                + " secret on both sides); set hearth.authenticate to the same value on both sides, and see the log"
                + " of the other side";
    }

    private Step answer(Bytes theirs) {
        if (!terms.tunnel().isPinnable()) {
            return end("the other side sent no certificate, or did not request one (expected: TLS with certificates of"
                    + " both sides)");
        }
        challenge = theirs;
        move(State.AWAITING_PROOF);
        Bytes proof = Proof.make(secret, Proof.Role.CONNECTING, terms, nonce, challenge);
        return Step.goOn(ProofFrame.of(ProofFrame.Kind.PROOF, proof));
    }

    private Step verify(Bytes theirs) {
        Bytes wanted = Proof.make(secret, Proof.Role.ACCEPTING, terms, nonce, challenge);
        if (!Proof.same(wanted, theirs)) {
            return end("the other side could not prove that it knows the secret of scope '" + terms.scope()
                    + "' (expected: the secret of"
                    + " this process); no message was sent to the other side; is it a process of another cluster,"
                    + " or a man in the middle?");
        }
        move(State.ENDED);
        return Step.proved(Optional.empty());
    }

    private Step end(String reason) {
        if (state != State.ENDED) {
            move(State.ENDED);
        }
        return Step.refused(Optional.empty(), reason);
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("proof for scope " + terms.scope() + ": from " + state + " to " + next
                    + " (expected: opening, challenge, proof)");
        }
        state = next;
    }

    private enum State {
        OPENING,
        AWAITING_CHALLENGE,
        AWAITING_PROOF,
        ENDED;

        boolean leadsTo(State next) {
            return switch (this) {
                case OPENING -> next == AWAITING_CHALLENGE || next == ENDED;
                case AWAITING_CHALLENGE -> next == AWAITING_PROOF || next == ENDED;
                case AWAITING_PROOF -> next == ENDED;
                case ENDED -> false;
            };
        }
    }
}
