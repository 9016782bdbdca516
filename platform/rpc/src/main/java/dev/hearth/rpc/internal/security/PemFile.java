package dev.hearth.rpc.internal.security;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.SettingKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** One PEM file, read completely. Error texts name the configuration setting, the file and the line. Immutable. */
final class PemFile {
    private static final int FILE_BYTES_MAX = 4 * 1024 * 1024;
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";

    private final SettingKey<?> setting;
    private final Path file;
    private final List<Block> blocks;

    private PemFile(SettingKey<?> setting, Path file, List<Block> blocks) {
        this.setting = setting;
        this.file = file;
        this.blocks = blocks;
    }

    /** Reads the file whose path the configuration setting {@code setting} contains. */
    static PemFile read(SettingKey<?> setting, Path file) {
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(FILE_BYTES_MAX + 1);
            if (content.length > FILE_BYTES_MAX) {
                throw bad(setting, file + ": more than " + FILE_BYTES_MAX + " bytes", "certificates or a key in PEM");
            }
            text = new String(content, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException missing) {
            throw ErrorCode.BAD_SETTING.failure(
                    setting + ": " + file + " does not exist (expected: a file in PEM)", missing);
        } catch (IOException unreadable) {
            throw ErrorCode.BAD_SETTING.failure(
                    setting + ": " + file + " cannot be read, " + unreadable + " (expected: a file in PEM)",
                    unreadable);
        }
        return new PemFile(setting, file, parse(setting, file, text));
    }

    /** Returns the certificates in file order. Blocks of other types are skipped. */
    List<X509Certificate> certificates() {
        List<X509Certificate> found = new ArrayList<>();
        for (Block block : blocks) {
            if (block.label.equals(CERTIFICATE)) {
                found.add(certificate(block));
            }
        }
        if (found.isEmpty()) {
            throw bad(setting, file + ": no certificate among " + labels(), "a block -----BEGIN CERTIFICATE-----");
        }
        return found;
    }

    /** Returns the first private key in the file, which must have the same algorithm as {@code certificate}. */
    PrivateKey privateKey(X509Certificate certificate) {
        Block block = blocks.stream()
                .filter(each -> each.label.equals(PRIVATE_KEY))
                .findFirst()
                .orElseThrow(() -> bad(
                        setting,
                        file + ": no PKCS#8 key among " + labels(),
                        "a block -----BEGIN PRIVATE KEY-----, not encrypted; openssl pkcs8 -topk8 -nocrypt converts"
                                + " other forms"));
        String kind = certificate.getPublicKey().getAlgorithm();
        try {
            return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(block.content.toArray()));
        } catch (GeneralSecurityException otherKind) {
            // drop the exception, because its message may contain parts of the key
            throw bad(setting, at(block) + "no key of the kind " + kind, "the key of hearth.ssl.rpc.certChain");
        }
    }

    private X509Certificate certificate(Block block) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(block.content.stream());
        } catch (CertificateException broken) {
            throw bad(setting, at(block) + "no certificate, " + broken.getMessage(), "a certificate of X.509");
        }
    }

    private String at(Block block) {
        return file + " line " + block.line + ": ";
    }

    private List<String> labels() {
        return blocks.stream().map(Block::label).toList();
    }

    private static List<Block> parse(SettingKey<?> setting, Path file, String text) {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.startsWith(BEGIN) || !line.endsWith(DASHES)) {
                continue; // ignore the line: text between blocks is allowed
            }
            int begin = i;
            String label = line.substring(BEGIN.length(), line.length() - DASHES.length());
            StringBuilder content = new StringBuilder();
            for (i++; i < lines.size() && !lines.get(i).startsWith(DASHES); i++) {
                content.append(lines.get(i));
            }
            if (i == lines.size() || !lines.get(i).equals(END + label + DASHES)) {
                String rule = END + label + DASHES + " for line " + (begin + 1);
                throw bad(setting, file + " line " + (Math.min(i, lines.size() - 1) + 1) + ": no end of a block", rule);
            }
            blocks.add(new Block(
                    label, begin + 1, Bytes.owning(decode(setting, file, begin + 1, label, content.toString()))));
        }
        return blocks;
    }

    private static byte[] decode(SettingKey<?> setting, Path file, int line, String label, String content) {
        if (!label.equals(CERTIFICATE) && !label.equals(PRIVATE_KEY)) {
            return new byte[0]; // do not decode other types, which may have headers
        }
        try {
            return Base64.getDecoder().decode(content);
        } catch (IllegalArgumentException broken) {
            // drop the exception, because its message may contain a part of a key
            throw bad(setting, file + " line " + line + ": a block that cannot be decoded", "base64");
        }
    }

    private static HearthException bad(SettingKey<?> setting, String found, String rule) {
        return ErrorCode.BAD_SETTING.failure(setting + ": " + found + " (expected: " + rule + ")");
    }

    /**
     * Block of the file: the content between a begin line and its end line. {@code line} is the number of the begin
     * line, counted from 1.
     */
    private record Block(String label, int line, Bytes content) {}
}
