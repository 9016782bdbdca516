package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Frame exchanged during the mutual proof: its kind, a length of two bytes and its content. Immutable. */
record ProofFrame(Kind kind, Bytes content) {
    private static final int HEADER_BYTES = Byte.BYTES + Short.BYTES;
    /** Maximum length of the reason of a refusal, in bytes. */
    static final int TEXT_BYTES_MAX = 1_024;

    static ProofFrame of(Kind kind, Bytes content) {
        return new ProofFrame(kind, content);
    }

    /** Creates a refusal. Truncates the reason to the maximum length. */
    static ProofFrame refused(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        byte[] bounded = text.length <= TEXT_BYTES_MAX ? text : Arrays.copyOf(text, TEXT_BYTES_MAX);
        return new ProofFrame(Kind.REFUSED, Bytes.owning(bounded));
    }

    /** Returns the reason of a refusal for display, without control characters. */
    String reason() {
        return new String(content.toArray(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    }

    void write(ByteBuf out) {
        out.writeByte(kind.code).writeShort(content.size());
        content.read(out::writeBytes);
    }

    /**
     * Reads the next frame. Returns empty if the frame is incomplete. Throws {@link MalformedProofFrame} on invalid
     * bytes.
     */
    static Optional<ProofFrame> read(ByteBuf in) throws MalformedProofFrame {
        if (!in.isReadable()) {
            return Optional.empty();
        }
        int code = in.getUnsignedByte(in.readerIndex());
        Kind kind = Kind.of(code).orElseThrow(() -> new MalformedProofFrame("a frame of kind " + code));
        if (in.readableBytes() < HEADER_BYTES) {
            return Optional.empty();
        }
        int length = in.getUnsignedShort(in.readerIndex() + Byte.BYTES);
        if (length < kind.bytesMin || length > kind.bytesMax) {
            throw new MalformedProofFrame(kind + " of " + length + " bytes");
        }
        if (in.readableBytes() < HEADER_BYTES + length) {
            return Optional.empty();
        }
        in.skipBytes(HEADER_BYTES);
        byte[] content = new byte[length];
        in.readBytes(content);
        return Optional.of(new ProofFrame(kind, Bytes.owning(content)));
    }

    /** Describes the frame without its content, which may be a proof. */
    @Override
    public String toString() {
        return kind.toString();
    }

    /**
     * Kind of a frame of the mutual proof. Its code is the number that stands for it on the wire, and so must not
     * change.
     */
    enum Kind {
        /** First frame of the connecting side, with its nonce. */
        OPENING(0x51, Proof.NONCE_BYTES, Proof.NONCE_BYTES),
        /** Answer of the accepting side to the opening frame, with the accepting side's nonce. */
        CHALLENGE(0x52, Proof.NONCE_BYTES, Proof.NONCE_BYTES),
        /** Proof by the connecting side that it knows the secret. */
        PROOF(0x53, Proof.BYTES, Proof.BYTES),
        /** Sent by the accepting side: accepts the proof, and proves that the accepting side knows the secret too. */
        ACCEPTED(0x54, Proof.BYTES, Proof.BYTES),
        /** Sent by the accepting side before it closes the connection: refuses the proof, with the reason. */
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

    /** Thrown on bytes that are not a valid frame, which the exception message describes. */
    static final class MalformedProofFrame extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedProofFrame(String found) {
            super(found);
        }
    }
}
