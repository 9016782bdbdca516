package dev.hearth.kubernetes.internal.client;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Private keys from PEM. Java reads PKCS 8; keys of PKCS 1, which kubeadm writes, and of SEC 1, which k3s writes, are
 * wrapped into it. Pure.
 */
final class PrivateKeyText {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN (RSA |EC |)PRIVATE KEY-----([^-]*)-----END");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");
    private static final byte[] VERSION = {2, 1, 0};
    private static final byte[] RSA = {6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0xd, 1, 1, 1, 5, 0};
    private static final byte[] ELLIPTIC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 4;
    private static final int PARAMETERS = 0xa0;

    private PrivateKeyText() {}

    /** Fails if {@code pem} contains no key without a password. */
    static PrivateKey read(String pem) throws GeneralSecurityException {
        Matcher block = BLOCK.matcher(pem);
        if (!block.find()) {
            throw new InvalidKeyException("no key");
        }
        byte[] content = Base64.getMimeDecoder().decode(block.group(2));
        byte[] whole = switch (block.group(1)) {
            case "RSA " -> wrapped(RSA, content);
            case "EC " -> wrapped(joined(ELLIPTIC, curve(content)), content);
            default -> content;
        };
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(whole));
            } catch (InvalidKeySpecException another) {
                // of another algorithm
            }
        }
        throw new InvalidKeyException("no key of " + ALGORITHMS);
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, joined(VERSION, element(SEQUENCE, algorithm), element(OCTETS, key)));
    }

    /** The name of the curve, which follows the version and the key in SEC 1. */
    private static byte[] curve(byte[] key) throws InvalidKeyException {
        int at = contentAt(key, 0);
        while (at + 1 < key.length) {
            int content = contentAt(key, at);
            int end = content + length(key, at);
            if ((key[at] & 0xff) == PARAMETERS && end <= key.length) {
                return Arrays.copyOfRange(key, content, end);
            }
            at = end;
        }
        throw new InvalidKeyException("no curve");
    }

    private static int contentAt(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first - 0x80);
    }

    private static int length(byte[] der, int at) throws InvalidKeyException {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = at + 2; i < contentAt(der, at); i++) {
            if (i >= der.length || length > 0xffff) {
                throw new InvalidKeyException("malformed");
            }
            length = (length << 8) | (der[i] & 0xff);
        }
        return length;
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else if (content.length < 0x100) {
            out.write(0x81);
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
