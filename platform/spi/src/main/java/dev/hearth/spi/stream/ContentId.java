package dev.hearth.spi.stream;

import java.util.regex.Pattern;

/** The name of content by what it is: the SHA-256 of its bytes in hexadecimal. */
public record ContentId(String sha256) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    public ContentId {
        if (!FORM.matcher(sha256).matches()) {
            throw new IllegalArgumentException("content id: '" + sha256 + "' (expected: 64 hexadecimal digits)");
        }
    }

    @Override
    public String toString() {
        return sha256;
    }
}
