package dev.hearth.engine.internal.encryption;

import dev.hearth.spi.error.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * One thread's hand at sealing pieces of a file by AES-GCM, and at opening them. A number that never comes twice stands before each
 * piece, and behind it a tag that tells whether it was changed, or belongs elsewhere. Begun with the first piece.
 */
public final class FileCipher {
    /** Stands before what was sealed. */
    public static final int LEAD_BYTES = 12;

    private static final int TAG_BYTES = 16;

    /** What sealing adds. */
    public static final int ADDED_BYTES = LEAD_BYTES + TAG_BYTES;

    private static final int COUNTER_AT = LEAD_BYTES - Long.BYTES;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final FileEncryptionKey key;
    private final Cipher cipher;
    private final byte[] lead = new byte[LEAD_BYTES]; // chance at first, then counted up
    private boolean counting;

    public FileCipher(FileEncryptionKey key) {
        this.key = key;
        try {
            this.cipher = Cipher.getInstance(FileEncryptionKey.CIPHER + "/GCM/NoPadding");
        } catch (GeneralSecurityException missing) {
            throw failed(missing);
        }
    }

    /**
     * Seals {@code length} bytes that lie {@link #LEAD_BYTES} behind {@code at}, and need room for the tag behind them; {@code
     * place} is where they belong. Returns what lies at {@code at} then.
     */
    public int seal(byte[] place, byte[] array, int at, int length) {
        if (!counting) {
            new SecureRandom().nextBytes(lead);
            counting = true;
        }
        LONGS.set(lead, COUNTER_AT, (long) LONGS.get(lead, COUNTER_AT) + 1);
        System.arraycopy(lead, 0, array, at, LEAD_BYTES);
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key.key(), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, lead));
            cipher.updateAAD(place);
            return LEAD_BYTES + cipher.doFinal(array, at + LEAD_BYTES, length, array, at + LEAD_BYTES);
        } catch (GeneralSecurityException failure) {
            throw failed(failure);
        }
    }

    /** Opens {@code length} bytes at {@code at} into the beginning of {@code out}; refuses what was not sealed so, for that place. */
    public void open(byte[] place, byte[] sealed, int at, int length, byte[] out) throws GeneralSecurityException {
        cipher.init(
                Cipher.DECRYPT_MODE, key.key(), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, sealed, at, LEAD_BYTES));
        cipher.updateAAD(place);
        cipher.doFinal(sealed, at + LEAD_BYTES, length - LEAD_BYTES, out, 0);
    }

    private static RuntimeException failed(GeneralSecurityException failure) {
        return ErrorCode.INTERNAL.failure(
                "encryption of temporary files: AES-GCM cannot be used (expected: as part of Java)", failure);
    }
}
