package dev.hearth.rpc.internal.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.security.ProofFrame.Kind;
import dev.hearth.rpc.internal.security.ProofSide.Outcome;
import dev.hearth.rpc.internal.security.ProofSide.Step;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Secret;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Both sides against each other, and each against an attacker without the secret. */
class ProofSideTest {
    private static final Secret SECRET = Secret.random();
    private static final Secret NOBODYS = Secret.random();
    private static final ChannelBinding TUNNEL = new ChannelBinding(true, filled(1), filled(2));
    private static final ProofTerms TERMS = new ProofTerms("MESSAGES", "app-1", 1, TUNNEL);

    private final SecureRandom random = new SecureRandom();

    @Test
    void twoSidesWithTheSameSecretConvinceEachOther() {
        ClientProof connecting = connecting(TERMS, SECRET);
        ServerProof accepting = accepting(TERMS, Optional.of(SECRET));
        Step challenge = accepting.receive(connecting.begin().orElseThrow());
        Step proof = connecting.receive(answer(challenge));
        Step accepted = accepting.receive(answer(proof));
        assertEquals(Outcome.PROVED, accepted.outcome());
        assertEquals(Outcome.PROVED, connecting.receive(answer(accepted)).outcome());
    }

    @Test
    void anotherSecretIsRefusedAndReportedToBothSides() {
        Exchange exchange = talk(connecting(TERMS, Secret.random()), accepting(TERMS, Optional.of(SECRET)));
        assertEquals(Outcome.REFUSED, exchange.atAccepting.outcome());
        assertEquals(Outcome.REFUSED, exchange.atConnecting.outcome());
        assertTrue(exchange.atAccepting.reason().contains("scope 'app-1'"), exchange.atAccepting.reason());
        assertTrue(
                exchange.atConnecting.reason().contains("hearth.authenticate.secret"), exchange.atConnecting.reason());
    }

    @Test
    void aScopeThatDoesNotExistIsAnsweredAsAWrongSecretIs() {
        Exchange wrong = talk(connecting(TERMS, Secret.random()), accepting(TERMS, Optional.of(SECRET)));
        Exchange unknown = talk(connecting(TERMS, SECRET), accepting(TERMS, Optional.empty()));
        assertEquals(answer(wrong.atAccepting), answer(unknown.atAccepting));
        assertEquals(wrong.atConnecting.reason(), unknown.atConnecting.reason());
        assertNotEquals(wrong.atAccepting.reason(), unknown.atAccepting.reason(), "our own log knows");
    }

    @Test
    void evenTheReplacementForAMissingSecretProvesNothing() {
        Exchange exchange = talk(connecting(TERMS, NOBODYS), accepting(TERMS, Optional.empty()));
        assertEquals(Outcome.REFUSED, exchange.atAccepting.outcome());
    }

    @Test
    void aManInTheMiddleIsDetected() {
        ChannelBinding toMallory = new ChannelBinding(true, filled(1), filled(9));
        ChannelBinding fromMallory = new ChannelBinding(true, filled(9), filled(2));
        Exchange exchange = talk(
                connecting(new ProofTerms("MESSAGES", "app-1", 1, toMallory), SECRET),
                accepting(new ProofTerms("MESSAGES", "app-1", 1, fromMallory), Optional.of(SECRET)));
        assertEquals(Outcome.REFUSED, exchange.atAccepting.outcome());
        assertEquals(Outcome.REFUSED, exchange.atConnecting.outcome());
    }

    @Test
    void aProofForOneScopeLaneOrVersionIsNoneForAnother() {
        for (ProofTerms other : new ProofTerms[] {
            new ProofTerms("BULK", "app-1", 1, TUNNEL),
            new ProofTerms("MESSAGES", "app-2", 1, TUNNEL),
            new ProofTerms("MESSAGES", "app-1", 2, TUNNEL)
        }) {
            Exchange exchange = talk(connecting(other, SECRET), accepting(TERMS, Optional.of(SECRET)));
            assertEquals(Outcome.REFUSED, exchange.atAccepting.outcome(), other::toString);
        }
    }

    @Test
    void aReflectedProofIsRefused() {
        ClientProof connecting = connecting(TERMS, SECRET);
        ProofFrame opening = connecting.begin().orElseThrow();
        ProofFrame own = answer(connecting.receive(ProofFrame.of(Kind.CHALLENGE, opening.content())));
        Step reflected = connecting.receive(ProofFrame.of(Kind.ACCEPTED, own.content()));
        assertEquals(Outcome.REFUSED, reflected.outcome());
        assertTrue(reflected.reason().contains("could not prove"), reflected.reason());
    }

    @Test
    void aServerThatIsItsOwnClientProvesNothingToItself() {
        ServerProof victim = accepting(TERMS, Optional.of(SECRET));
        ProofFrame challenge = answer(victim.receive(ProofFrame.of(Kind.OPENING, filled(7))));
        // the attacker relays the victim's challenge to it
        ServerProof oracle = accepting(TERMS, Optional.of(SECRET));
        oracle.receive(ProofFrame.of(Kind.OPENING, challenge.content()));
        Step refusal = oracle.receive(ProofFrame.of(Kind.PROOF, filled(0)));
        assertEquals(Kind.REFUSED, answer(refusal).kind(), "it proves nothing to a stranger");
        assertEquals(
                Outcome.REFUSED,
                victim.receive(ProofFrame.of(Kind.PROOF, filled(0))).outcome());
    }

    @Test
    void aProofOfAnEarlierConnectionIsWorthNothing() {
        ClientProof honest = connecting(TERMS, SECRET);
        ProofFrame opening = honest.begin().orElseThrow();
        ServerProof first = accepting(TERMS, Optional.of(SECRET));
        ProofFrame proof = answer(honest.receive(answer(first.receive(opening))));
        ProofFrame accepted = answer(first.receive(proof));

        ServerProof second = accepting(TERMS, Optional.of(SECRET));
        second.receive(opening);
        assertEquals(Outcome.REFUSED, second.receive(proof).outcome());
        ClientProof again = connecting(TERMS, SECRET);
        again.begin();
        again.receive(ProofFrame.of(Kind.CHALLENGE, filled(3)));
        assertEquals(Outcome.REFUSED, again.receive(accepted).outcome());
    }

    @Test
    void aTunnelWithoutBothCertificatesIsNotProved() {
        ChannelBinding oneSided = new ChannelBinding(true, Bytes.EMPTY, filled(2));
        ProofTerms terms = new ProofTerms("MESSAGES", "app-1", 1, oneSided);
        ServerProof accepting = accepting(terms, Optional.of(SECRET));
        Bytes nonce = filled(5);
        Bytes challenge =
                answer(accepting.receive(ProofFrame.of(Kind.OPENING, nonce))).content();
        Bytes proof = Proof.make(SECRET, Proof.Role.CONNECTING, terms, nonce, challenge);
        Step step = accepting.receive(ProofFrame.of(Kind.PROOF, proof));
        assertEquals(Outcome.REFUSED, step.outcome());
        assertTrue(step.reason().contains("certificate"), step.reason());
        ClientProof connecting = connecting(terms, SECRET);
        connecting.begin();
        Step refused = connecting.receive(ProofFrame.of(Kind.CHALLENGE, challenge));
        assertEquals(Outcome.REFUSED, refused.outcome());
        assertTrue(refused.answer().isEmpty(), "no proof for a side that pins nothing");
    }

    @Test
    void withoutEncryptionTheSecretAloneIsProved() {
        ProofTerms plain = new ProofTerms("MESSAGES", "app-1", 1, ChannelBinding.NONE);
        Exchange exchange = talk(connecting(plain, SECRET), accepting(plain, Optional.of(SECRET)));
        assertEquals(Outcome.PROVED, exchange.atAccepting.outcome());
        assertEquals(Outcome.PROVED, exchange.atConnecting.outcome());
    }

    @Test
    void framesOutOfOrderAreRefused() {
        for (Kind kind : Kind.values()) {
            ProofFrame frame = ProofFrame.of(kind, filled(0));
            ClientProof connecting = connecting(TERMS, SECRET);
            connecting.begin();
            assertEquals(kind != Kind.CHALLENGE, connecting.receive(frame).outcome() == Outcome.REFUSED, kind::name);
            ServerProof accepting = accepting(TERMS, Optional.of(SECRET));
            assertEquals(kind != Kind.OPENING, accepting.receive(frame).outcome() == Outcome.REFUSED, kind::name);
        }
    }

    @Test
    void noReasonShowsASecretOrAProof() {
        Secret secret = Secret.of("the-secret-of-this-test");
        Exchange exchange = talk(connecting(TERMS, Secret.random()), accepting(TERMS, Optional.of(secret)));
        String all = exchange.atAccepting
                + exchange.atConnecting.reason()
                + answer(exchange.atAccepting).reason()
                + connecting(TERMS, secret).incomplete();
        assertFalse(all.contains(secret.reveal()), all);
    }

    @Test
    void pinsTheCertificatesOfARealHandshake() throws Exception {
        Identity one = SelfSigned.make(random, Instant.now());
        Identity two = SelfSigned.make(random, Instant.now());
        var connecting = Credentials.of(one, new DeferredTrustManager(one.certificate()), false, random)
                .connecting("host", 1);
        var accepting = Credentials.of(two, new DeferredTrustManager(two.certificate()), false, random)
                .accepting();
        InMemoryTlsHandshake.shake(connecting, accepting);
        ChannelBinding seen = ChannelBinding.connecting(connecting.getSession());
        assertEquals(seen, ChannelBinding.accepting(accepting.getSession()));
        assertEquals(ChannelBinding.hash(one.certificate()), seen.connecting());
        assertEquals(ChannelBinding.hash(two.certificate()), seen.accepting());
        assertEquals("TLSv1.3", connecting.getSession().getProtocol());
    }

    private ClientProof connecting(ProofTerms terms, Secret secret) {
        return new ClientProof(terms, secret, random);
    }

    private ServerProof accepting(ProofTerms terms, Optional<Secret> secret) {
        return new ServerProof(terms, secret, NOBODYS, random);
    }

    /** Runs the whole exchange, and returns the outcomes of both sides. */
    private static Exchange talk(ProofSide connecting, ProofSide accepting) {
        Step challenge = accepting.receive(connecting.begin().orElseThrow());
        Step proof = connecting.receive(answer(challenge));
        Step verdict = accepting.receive(answer(proof));
        return new Exchange(verdict, connecting.receive(answer(verdict)));
    }

    private static ProofFrame answer(Step step) {
        return step.answer().orElseThrow();
    }

    private static Bytes filled(int value) {
        byte[] bytes = new byte[Proof.NONCE_BYTES];
        Arrays.fill(bytes, (byte) value);
        return Bytes.owning(bytes);
    }

    private record Exchange(Step atAccepting, Step atConnecting) {}
}
