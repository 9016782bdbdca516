package dev.hearth.spi.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Range of network addresses: one address such as {@code 10.0.0.7}, or a network such as {@code 10.0.0.0/8} or
 * {@code fd00::/8}. Host names are not resolved. Immutable.
 */
public final class AddressRange {
    private static final Pattern FORM =
            Pattern.compile("\\[?(\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)]?" + "(?:/(\\d{1,3}))?");

    private final InetAddress first;
    private final int bits;

    private AddressRange(InetAddress first, int bits) {
        this.first = first;
        this.bits = bits;
    }

    /** Reads {@code text}; empty unless it is an address or an address, a slash and the number of its leading bits. */
    public static Optional<AddressRange> parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        Optional<InetAddress> address = literal(parts.group(1));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        int most = address.get().getAddress().length * Byte.SIZE;
        int bits = parts.group(2) == null ? most : Integer.parseInt(parts.group(2));
        return bits > most ? Optional.empty() : Optional.of(new AddressRange(address.get(), bits));
    }

    /** Reads {@code text} as an IPv4 or IPv6 address; empty if it is neither. A host name is not resolved. */
    public static Optional<InetAddress> address(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches() && parts.group(2) == null ? literal(parts.group(1)) : Optional.empty();
    }

    /** Whether {@code address} is in this range. An IPv4 address is never in a range of IPv6 addresses. */
    public boolean contains(InetAddress address) {
        byte[] own = first.getAddress();
        byte[] other = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if ((own[bit / Byte.SIZE] & mask) != (other[bit / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return first.getHostAddress() + "/" + bits;
    }

    private static Optional<InetAddress> literal(String text) {
        try {
            return Optional.of(InetAddress.getByName(text)); // no lookup: the text has only digits, colons and dots
        } catch (UnknownHostException malformed) {
            return Optional.empty();
        }
    }
}
