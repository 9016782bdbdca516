package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** What is said while two sides prove who they are: a kind, a length of two bytes, the content. Immutable. */
record ProofFrame(Kind kind, Bytes content) {
    private static final int HEADER_BYTES = Byte.BYTES + Short.BYTES;
    /** The longest reason for a refusal. */
    static final int TEXT_BYTES_MAX = 1_024;

    static ProofFrame of(Kind kind, Bytes content) {
        return new ProofFrame(kind, content);
    }

    /** A refusal, with as much of its reason as a frame takes. */
    static ProofFrame refused(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        byte[] kept = text.length <= TEXT_BYTES_MAX ? text : Arrays.copyOf(text, TEXT_BYTES_MAX);
        return new ProofFrame(Kind.REFUSED, Bytes.owning(kept));
    }

    /** The reason of a refusal as it may be shown: what would move a terminal's cursor is left out. */
    String reason() {
        return new String(content.toArray(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    }

    void write(ByteBuf out) {
        out.writeByte(kind.code).writeShort(content.size());
        content.read(out::writeBytes);
    }

    /** The next frame; empty while it is not all there. Throws {@link Broken} for what is none. */
    static Optional<ProofFrame> read(ByteBuf in) throws Broken {
        if (!in.isReadable()) {
            return Optional.empty();
        }
        int code = in.getUnsignedByte(in.readerIndex());
        Kind kind = Kind.of(code).orElseThrow(() -> new Broken("a frame of kind " + code));
        if (in.readableBytes() < HEADER_BYTES) {
            return Optional.empty();
        }
        int length = in.getUnsignedShort(in.readerIndex() + Byte.BYTES);
        if (length < kind.bytesMin || length > kind.bytesMax) {
            throw new Broken(kind + " of " + length + " bytes");
        }
        if (in.readableBytes() < HEADER_BYTES + length) {
            return Optional.empty();
        }
        in.skipBytes(HEADER_BYTES);
        byte[] content = new byte[length];
        in.readBytes(content);
        return Optional.of(new ProofFrame(kind, Bytes.owning(content)));
    }

    /** Says nothing of the content. */
    @Override
    public String toString() {
        return kind.toString();
    }

    /** What a frame says. The codes are part of the protocol. */
    enum Kind {
        /** The connecting side begins, with random bytes of its own. */
        OPENING(0x51, Proof.NONCE_BYTES, Proof.NONCE_BYTES),
        /** The accepting side answers with random bytes of its own. */
        CHALLENGE(0x52, Proof.NONCE_BYTES, Proof.NONCE_BYTES),
        /** The connecting side proves the secret. */
        PROOF(0x53, Proof.BYTES, Proof.BYTES),
        /** The accepting side takes the proof, and proves the secret in turn. */
        ACCEPTED(0x54, Proof.BYTES, Proof.BYTES),
        /** The accepting side does not take the proof, and says why; it closes the connection. */
        REFUSED(0x55, 0, TEXT_BYTES_MAX);

        private final int code;
        private final int bytesMin;
        private final int bytesMax;

        Kind(int code, int bytesMin, int bytesMax) {
            this.code = code;
            this.bytesMin = bytesMin;
            this.bytesMax = bytesMax;
        }

        private static Optional<Kind> of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    /** Bytes that are no frame; the message says what they are. */
    static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        Broken(String found) {
            super(found);
        }
    }
}
