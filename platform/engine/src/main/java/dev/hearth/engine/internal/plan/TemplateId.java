package dev.hearth.engine.internal.plan;

import dev.hearth.spi.rpc.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The content hash of a stage template: the first 128 bits of SHA-256 over its steps, its action and their functions. */
public record TemplateId(long high, long low) {
    public static TemplateId of(StageTemplate template) {
        MessageDigest digest = sha256();
        for (Step step : template.steps()) {
            add(digest, "step " + step.kind());
            add(digest, step.function());
        }
        add(digest, "action " + template.action());
        add(digest, template.function());
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new TemplateId(hash.getLong(), hash.getLong());
    }

    private static void add(MessageDigest digest, String text) {
        add(digest, Bytes.owning(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void add(MessageDigest digest, Bytes bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.size()));
        bytes.read(digest::update);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) { // every Java platform has it
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
